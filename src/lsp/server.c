/* The server: handles messages from the client and lines from the worker. */
#include <poll.h>
#include <signal.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lsp/lsp.h"

enum {
  MOST_BYTES = 64 * 1024 * 1024, /* the limit of a message and of a document; no editor sends more */
  INVALID_REQUEST = -32600,      /* codes of JSON-RPC and of the protocol */
  METHOD_NOT_FOUND = -32601,
  NOT_INITIALIZED = -32002,
};

struct buffer {
  char *data;
  size_t length, room;
};

struct server {
  const struct lsp_host *host;
  struct buffer input, lines; /* bytes from the client; bytes from the worker */
  struct lsp_document **documents;
  size_t count;
  pid_t worker; /* 0: none */
  int from_worker;
  struct lsp_document *working; /* the document that the worker checks; NULL: the client has closed it */
  bool utf8, initialized, shut_down, done, broken;
};

/* Adds the bytes that can be read. False at the end of input, or if memory runs out. */
static bool buffer_read(struct buffer *b, int from) {
  if (b->length == b->room) {
    size_t room = b->room ? b->room * 2 : 65536;
    char *data = room <= 4 * (size_t)MOST_BYTES ? realloc(b->data, room) : NULL;
    if (!data) return false;
    b->data = data, b->room = room;
  }
  ssize_t got = read(from, b->data + b->length, b->room - b->length);
  if (got > 0) b->length += (size_t)got;
  return got > 0 || (got < 0 && errno == EINTR);
}

static void buffer_drop(struct buffer *b, size_t length) {
  memmove(b->data, b->data + length, b->length - length);
  b->length -= length;
}

/* ---- to the client */

static void send_message(struct server *s, json_t *message) {
  char *text = json_dumps(message, JSON_COMPACT);
  if (!text || printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text) < 0 || fflush(stdout) != 0) s->broken = true;
  free(text);
  json_decref(message);
}

static void notify(struct server *s, const char *method, json_t *params) {
  send_message(s, json_pack("{s:s,s:s,s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

static void reply(struct server *s, json_t *id, json_t *result) {
  send_message(s, json_pack("{s:s,s:O,s:o}", "jsonrpc", "2.0", "id", id, "result", result));
}

static void refuse(struct server *s, json_t *id, int code, const char *why) {
  send_message(s,
               json_pack("{s:s,s:O?,s:{s:i,s:s}}", "jsonrpc", "2.0", "id", id, "error", "code", code, "message", why));
}

/* ---- documents */

static const char *uri_of(json_t *params) {
  const char *uri = json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
  return uri ? uri : "";
}

static struct lsp_document **slot_of(struct server *s, json_t *params) {
  for (size_t i = 0; i < s->count; i++)
    if (strcmp(s->documents[i]->uri, uri_of(params)) == 0) return &s->documents[i];
  return NULL;
}

/* Reaps the worker; returns its status. */
static int forget_worker(struct server *s) {
  int status = 0;
  while (waitpid(s->worker, &status, 0) < 0 && errno == EINTR) continue;
  close(s->from_worker);
  s->worker = 0;
  s->lines.length = 0;
  return status;
}

static void stop_worker(struct server *s) {
  if (!s->worker) return;
  kill(s->worker, SIGKILL);
  forget_worker(s);
  s->working = NULL;
}

static void publish(struct server *s, const struct lsp_document *document, json_t *diagnostics) {
  notify(s, "textDocument/publishDiagnostics",
         json_pack("{s:s,s:I,s:o}", "uri", document->uri, "version", document->version, "diagnostics", diagnostics));
}

/* A source that was saved is compiled again. */
static void save_document(struct server *s, json_t *params) {
  struct lsp_document **slot = slot_of(s, params);
  if (!slot || (*slot)->kind != LSP_CUDA) return;
  if (s->working == *slot) stop_worker(s);
  (*slot)->checked = false;
}

static void close_document(struct server *s, json_t *params) {
  struct lsp_document **slot = slot_of(s, params);
  if (!slot) return;
  if (s->working == *slot) stop_worker(s);
  publish(s, *slot, json_array());
  lsp_document_free(*slot);
  *slot = s->documents[--s->count];
}

static void open_document(struct server *s, json_t *params) {
  json_t *item = json_object_get(params, "textDocument");
  const char *text = json_string_value(json_object_get(item, "text"));
  close_document(s, params);
  struct lsp_document **grown = text ? realloc(s->documents, (s->count + 1) * sizeof *grown) : NULL;
  if (!grown) return;
  s->documents = grown;
  json_t *version = json_object_get(item, "version");
  struct lsp_document *made = lsp_document_new(uri_of(params), text, json_integer_value(version));
  if (made) s->documents[s->count++] = made;
}

static void change_document(struct server *s, json_t *params) {
  struct lsp_document **slot = slot_of(s, params);
  json_t *changes = json_object_get(params, "contentChanges");
  json_t *last = json_array_get(changes, json_array_size(changes) - 1);
  const char *text = json_string_value(json_object_get(last, "text"));
  json_t *version = json_object_get(json_object_get(params, "textDocument"), "version");
  if (!slot || !text) return;
  if (s->working == *slot) stop_worker(s);
  lsp_document_change(*slot, text, json_integer_value(version));
}

/* ---- the worker */

/* Runs in the child process. */
static void work(struct server *s, struct lsp_document *document, int to) {
  FILE *out = fdopen(to, "w");
  if (!out || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) _exit(3); /* stdout is the client's */
  lsp_check(s->host, document, s->utf8, out);
  fclose(out);
  _exit(0);
}

static void start_worker(struct server *s) {
  struct lsp_document *next = NULL;
  for (size_t i = 0; i < s->count; i++)
    if (!s->documents[i]->checked && s->documents[i]->kind != LSP_OTHER) next = s->documents[i];
  int ends[2];
  if (s->worker || !next || pipe(ends) != 0) return;
  next->checked = true;
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    work(s, next, ends[1]);
  }
  close(ends[1]);
  if (pid < 0) close(ends[0]);
  else s->worker = pid, s->from_worker = ends[0], s->working = next;
}

static void take(json_t **place, json_t *found) {
  if (!found) return;
  json_decref(*place);
  *place = json_incref(found);
}

static void take_line(struct server *s, const char *line, size_t length) {
  json_t *found = json_loadb(line, length, 0, NULL);
  json_t *diagnostics = json_object_get(found, "diagnostics");
  take(&s->working->lenses, json_object_get(found, "lenses"));
  take(&s->working->actions, json_object_get(found, "actions"));
  if (diagnostics) publish(s, s->working, json_incref(diagnostics));
  json_decref(found);
}

static void take_lines(struct server *s) {
  char *end;
  while (s->lines.length && (end = memchr(s->lines.data, '\n', s->lines.length))) {
    size_t length = (size_t)(end - s->lines.data);
    take_line(s, s->lines.data, length);
    buffer_drop(&s->lines, length + 1);
  }
}

/* Handles the end of the worker; reports a crash, which is a bug of the tool, to the client. */
static void end_worker(struct server *s) {
  int status = forget_worker(s);
  if (!(WIFEXITED(status) && WEXITSTATUS(status) == 0))
    notify(s, "window/logMessage",
           json_pack("{s:i,s:s+}", "type", 1, "message", "ptxlit ended while it checked ", s->working->uri));
  s->working = NULL;
}

/* ---- requests */

static json_t *initialize(struct server *s, json_t *params) {
  json_t *general = json_object_get(json_object_get(params, "capabilities"), "general"), *encoding;
  size_t i;
  json_array_foreach(json_object_get(general, "positionEncodings"), i, encoding) {
    const char *name = json_string_value(encoding);
    if (name && strcmp(name, "utf-8") == 0) s->utf8 = true;
  }
  s->initialized = true;
  return json_pack("{s:{s:s,s:{s:b,s:i,s:b},s:b,s:{s:[s,s]},s:b,s:{s:b}},s:{s:s,s:s}}", "capabilities",
                   "positionEncoding", s->utf8 ? "utf-8" : "utf-16", "textDocumentSync", "openClose", 1, "change", 1,
                   "save", 1, "hoverProvider", 1, "completionProvider", "triggerCharacters", ".", "-",
                   "codeActionProvider", 1, "codeLensProvider", "resolveProvider", 0, "serverInfo", "name", "ptxlit",
                   "version", ptxlit_version());
}

static json_t *list_of(json_t *list) { return list ? json_incref(list) : json_array(); }

/* The result of a request; NULL: unknown request. */
static json_t *answer(struct server *s, const char *method, json_t *params) {
  if (strcmp(method, "initialize") == 0) return initialize(s, params);
  if (strcmp(method, "shutdown") == 0) {
    s->shut_down = true;
    return json_null();
  }
  struct lsp_document **slot = slot_of(s, params), *document = slot ? *slot : NULL;
  json_t *position = json_object_get(params, "position");
  bool hover = strcmp(method, "textDocument/hover") == 0, complete = strcmp(method, "textDocument/completion") == 0;
  bool actions = strcmp(method, "textDocument/codeAction") == 0, lens = strcmp(method, "textDocument/codeLens") == 0;
  if (!hover && !complete && !actions && !lens) return NULL;
  if (!document) return json_null();
  if (hover) return lsp_hover(document, position, s->utf8);
  if (complete) return lsp_completion(s->host, document, position, s->utf8);
  return list_of(actions ? document->actions : document->lenses);
}

static void hear(struct server *s, const char *method, json_t *params) {
  if (strcmp(method, "exit") == 0) s->done = true;
  else if (strcmp(method, "textDocument/didOpen") == 0) open_document(s, params);
  else if (strcmp(method, "textDocument/didChange") == 0) change_document(s, params);
  else if (strcmp(method, "textDocument/didSave") == 0) save_document(s, params);
  else if (strcmp(method, "textDocument/didClose") == 0) close_document(s, params);
}

static void handle(struct server *s, json_t *message) {
  const char *method = json_string_value(json_object_get(message, "method"));
  json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
  if (!method) {
    if (!json_object_get(message, "result") && !json_object_get(message, "error"))
      refuse(s, NULL, INVALID_REQUEST, "not a JSON-RPC request, notification or response");
  } else if (!id) {
    hear(s, method, params);
  } else if (s->shut_down) {
    refuse(s, id, INVALID_REQUEST, "the server was shut down");
  } else if (!s->initialized && strcmp(method, "initialize") != 0) {
    refuse(s, id, NOT_INITIALIZED, "'initialize' comes first");
  } else {
    json_t *result = answer(s, method, params);
    if (result) reply(s, id, result);
    else refuse(s, id, METHOD_NOT_FOUND, method);
  }
}

/* The empty line that ends the header; NULL: it has not arrived yet. */
static const char *header_end(const struct buffer *b) {
  for (size_t i = 0; i + 4 <= b->length; i++)
    if (memcmp(b->data + i, "\r\n\r\n", 4) == 0) return b->data + i;
  return NULL;
}

/* The length of the header at the start of the text, and of the message after it. 0: it is incomplete. */
static size_t header(const struct buffer *b, size_t *message, bool *wrong) {
  static const char field[] = "content-length:";
  const char *end = header_end(b);
  bool found = false;
  *wrong = !end && b->length > 4096;
  if (!end) return 0;
  for (const char *line = b->data; line < end; line = (const char *)memchr(line, '\n', (size_t)(end + 2 - line)) + 1)
    if (strncasecmp(line, field, sizeof field - 1) == 0) {
      unsigned long long length = strtoull(line + sizeof field - 1, NULL, 10);
      found = length <= MOST_BYTES;
      *message = (size_t)length;
    }
  *wrong = !found;
  return (size_t)(end - b->data) + 4;
}

static void handle_input(struct server *s) {
  size_t begin, length = 0;
  while (!s->done && !s->broken && (begin = header(&s->input, &length, &s->broken)) != 0) {
    if (s->broken || s->input.length < begin + length) return;
    json_t *message = json_loadb(s->input.data + begin, length, 0, NULL);
    handle(s, message);
    json_decref(message);
    buffer_drop(&s->input, begin + length);
  }
}

int lsp_serve(const struct lsp_host *host) {
  struct server s = {.host = host};
  while (!s.done && !s.broken) {
    start_worker(&s);
    struct pollfd ends[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
                             {.fd = s.worker ? s.from_worker : -1, .events = POLLIN}};
    if (poll(ends, 2, -1) < 0 && errno != EINTR) break;
    if (ends[1].revents && s.worker) {
      if (!buffer_read(&s.lines, s.from_worker)) end_worker(&s);
      else take_lines(&s);
    }
    if (ends[0].revents) {
      if (!buffer_read(&s.input, STDIN_FILENO)) break;
      handle_input(&s);
    }
  }
  stop_worker(&s);
  while (s.count) lsp_document_free(s.documents[--s.count]);
  free(s.documents);
  free(s.input.data);
  free(s.lines.data);
  return s.done && s.shut_down ? 0 : 2;
}
