/* Turns the changes that `ptxlit fix` proposes into edits of the document. An added instruction gets its own row, in
 * which the other columns are blank. */

#include "lsp/lsp.h"

static size_t number(json_t *object, const char *key) {
  json_int_t value = json_integer_value(json_object_get(object, key));
  return value > 0 ? (size_t)value : 0;
}

size_t lsp_cell(const char *at) {
  size_t length = strcspn(at, "|;\n");
  while (length && strchr(" \t\r", at[length - 1])) length--;
  return length;
}

static json_t *edit(json_t *from, json_t *to, const char *text) {
  return json_pack("{s:{s:o,s:o},s:s}", "range", "start", from, "end", to, "newText", text);
}

static json_t *replace(const char *text, size_t line, size_t column, const char *with, bool utf8) {
  size_t length = lsp_cell(lsp_line(text, line) + column - 1);
  return edit(lsp_position(text, line, column, utf8), lsp_position(text, line, column + length, utf8), with);
}

/* A new row before or after `line`, with only the instruction in its column. */
static json_t *add_row(const char *text, size_t line, size_t column, const char *instruction, bool after, bool utf8) {
  const char *row = lsp_line(text, line);
  size_t length = strcspn(row, "\r\n"), room = strlen(instruction), at = column - 1, to = after ? line + 1 : line;
  struct arena arena;
  struct text made = {.arena = &arena};
  arena_init(&arena, NULL);
  for (size_t i = 0; i < length; i++) {
    if (i == at) text_add(&made, instruction);
    bool kept = row[i] == '|' || row[i] == ';' || row[i] == '\t';
    bool covered = i >= at && i < at + room && !kept;    /* now occupied by the instruction */
    if (row[i] == ';' && i + 1 < length) length = i + 1; /* a comment after the row is not repeated */
    if (!covered && ((unsigned char)row[i] & 0xc0) != 0x80) text_char(&made, kept ? row[i] : ' ');
    if (kept && i > at) at = (size_t)-1, room = 0;
  }
  text_char(&made, '\n');
  json_t *result = edit(lsp_position(text, to, 1, utf8), lsp_position(text, to, 1, utf8), text_str(&made));
  arena_release(&arena);
  return result;
}

static json_t *edit_of(const char *text, json_t *change, bool utf8) {
  const char *kind = json_string_value(json_object_get(change, "kind"));
  const char *after = json_string_value(json_object_get(change, "after"));
  size_t line = number(change, "line"), column = number(change, "column");
  size_t width = strcspn(lsp_line(text, line), "\n");
  if (!kind || !line || !column || column > width || json_object_get(change, "file")) return NULL;
  if (strcmp(kind, "replace") == 0) return replace(text, line, column, after ? after : "", utf8);
  if (strcmp(kind, "drop") == 0) return replace(text, line, column, "", utf8);
  bool behind = strcmp(kind, "add-after") == 0, before = strcmp(kind, "add-before") == 0;
  return after && (behind || before) ? add_row(text, line, column, after, behind, utf8) : NULL;
}

json_t *lsp_edits(const char *text, json_t *changes, bool utf8) {
  json_t *edits = json_array(), *change;
  size_t i;
  json_array_foreach(changes, i, change) {
    json_t *made = edit_of(text, change, utf8);
    if (!made || json_array_append_new(edits, made) != 0) {
      json_decref(edits);
      return NULL;
    }
  }
  return edits;
}

char *lsp_edits_title(json_t *changes) {
  char *title = NULL;
  size_t size = 0, i;
  json_t *change;
  FILE *to = open_memstream(&title, &size);
  if (!to) return NULL;
  json_array_foreach(changes, i, change) {
    const char *kind = json_string_value(json_object_get(change, "kind"));
    const char *after = json_string_value(json_object_get(change, "after"));
    const char *text = json_string_value(json_object_get(change, "text"));
    bool adds = kind && base_begins(kind, "add");
    const char *where = !adds ? "" : strcmp(kind, "add-after") == 0 ? "after " : "before ";
    fprintf(to, "%s%sline %zu: %s%s", i ? "; " : "", where, number(change, "line"), after ? "" : "without ",
            after  ? after
            : text ? text
                   : "");
  }
  return fclose(to) == 0 ? title : NULL;
}
