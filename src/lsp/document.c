/* Stores documents, and converts positions in them. */

#include "lsp/lsp.h"

static int hex(char c) {
  static const char digits[] = "0123456789abcdef0123456789ABCDEF";
  const char *at = c ? strchr(digits, c) : NULL;
  return at ? (int)((at - digits) % 16) : -1;
}

/* "file:///a%20b" gives "/a b"; any other URI is returned unchanged. */
static char *path_of(const char *uri) {
  static const char scheme[] = "file://";
  char *path = strdup(uri), *to = path;
  if (!path || strncmp(uri, scheme, sizeof scheme - 1) != 0) return path;
  const char *from = strchr(uri + sizeof scheme - 1, '/'); /* after the host name */
  for (from = from ? from : ""; *from; from++) {
    int high = *from == '%' ? hex(from[1]) : -1, low = high >= 0 ? hex(from[2]) : -1;
    bool escaped = low >= 0 && (high || low);
    *to++ = escaped ? (char)(high << 4 | low) : *from;
    if (escaped) from += 2;
  }
  *to = '\0';
  return path;
}

static enum lsp_kind kind_of(const char *path) {
  static const struct {
    const char *ending;
    enum lsp_kind kind;
  } kinds[] = {{".litmus", LSP_LITMUS}, {".cat", LSP_CAT}, {".map", LSP_MAP}, {".cu", LSP_CUDA}};
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(dot, kinds[i].ending) == 0) return kinds[i].kind;
  return LSP_OTHER;
}

void lsp_document_free(struct lsp_document *document) {
  if (!document) return;
  json_decref(document->lenses);
  json_decref(document->actions);
  free(document->uri);
  free(document->path);
  free(document->text);
  free(document);
}

bool lsp_document_change(struct lsp_document *document, const char *text, json_int_t version) {
  char *copy = strdup(text);
  if (!copy) return false;
  free(document->text);
  json_decref(document->actions);
  document->text = copy;
  document->actions = NULL; /* keep the old lenses until new ones arrive, to avoid flicker */
  document->version = version;
  document->checked = false;
  return true;
}

struct lsp_document *lsp_document_new(const char *uri, const char *text, json_int_t version) {
  struct lsp_document *document = calloc(1, sizeof *document);
  if (!document) return NULL;
  document->uri = strdup(uri);
  document->path = path_of(uri);
  if (document->uri && document->path && lsp_document_change(document, text, version)) {
    document->kind = kind_of(document->path);
    return document;
  }
  lsp_document_free(document);
  return NULL;
}

const char *lsp_line(const char *text, size_t line) {
  while (line > 1 && *text) {
    const char *end = strchr(text, '\n');
    if (!end) return text + strlen(text);
    text = end + 1;
    line--;
  }
  return text;
}

/* The units of the character with this first byte; 0 for its other bytes. */
static unsigned units(unsigned char byte, bool utf8) {
  if (utf8) return 1;
  return byte >= 0xf0 ? 2 : (byte & 0xc0) != 0x80;
}

json_t *lsp_position(const char *text, size_t line, size_t column, bool utf8) {
  const char *begin = lsp_line(text, line);
  json_int_t character = 0;
  for (size_t i = 0; i + 1 < column && begin[i] && begin[i] != '\n'; i++)
    character += units((unsigned char)begin[i], utf8);
  return json_pack("{s:I,s:I}", "line", (json_int_t)(line ? line - 1 : 0), "character", character);
}

const char *lsp_place(const char *text, json_t *position, bool utf8) {
  json_int_t line = json_integer_value(json_object_get(position, "line"));
  json_int_t character = json_integer_value(json_object_get(position, "character"));
  const char *at = lsp_line(text, line > 0 ? (size_t)line + 1 : 1);
  while (character > 0 && *at && *at != '\n') {
    character -= units((unsigned char)*at++, utf8);
    while (!utf8 && ((unsigned char)*at & 0xc0) == 0x80) at++;
  }
  return at;
}
