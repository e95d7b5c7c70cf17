/* Services for editors: unsaved texts, messages as records, and completion of words of PTX and of the model
 * language. */

#include "api/session.h"
#include "ptx/isa.h"

/* ---- texts in place of files */

enum ptxlit_status ptxlit_hold_file(struct ptxlit *session, const char *path, const char *text, size_t length) {
  session_begin(session);
  SESSION_GUARD(session, PTXLIT_NO_VERDICT);
  const char *name = arena_strdup(&session->session, path);
  const char *copy = arena_strndup(&session->session, text, length);
  VEC_PUSH(&session->session, &session->held, source_from_text(name, copy, length));
  return PTXLIT_OK;
}

bool session_held(const struct ptxlit *s, const char *path, struct source *out) {
  for (uint32_t i = s->held.len; i-- > 0;)
    if (strcmp(s->held.data[i].name, path) == 0) {
      *out = s->held.data[i];
      return true;
    }
  return false;
}

/* ---- messages */

static struct ptxlit_message message_of(const struct diagnostic *record) {
  const struct span *span = &record->span;
  struct ptxlit_message message = {.warning = diag_code_severity(record->code) == SEVERITY_WARNING,
                                   .code = diag_code_name(record->code),
                                   .text = record->message,
                                   .hint = record->hint};
  if (!span->source) return message;
  struct position begin = source_position(span->source, span->begin), end = source_position(span->source, span->end);
  message.file = span->source->name;
  message.line = begin.line, message.column = begin.column;
  message.end_line = end.line, message.end_column = end.column;
  return message;
}

size_t ptxlit_message_list(struct ptxlit *session, const struct ptxlit_message **list) {
  static const struct ptxlit_message no_memory = {.code = "out-of-memory", .text = "out of memory"};
  *list = &no_memory;
  SESSION_GUARD(session, 1);
  const struct diags *diags = &session->diags;
  struct ptxlit_message *messages = ARENA_ARRAY(&session->latest, struct ptxlit_message, diags->list.len + 1);
  size_t count = 0;
  for (uint32_t i = 0; i < diags->list.len; i++) messages[count++] = message_of(&diags->list.data[i]);
  if (session->limit[0]) messages[count++] = (struct ptxlit_message){.code = session->limit_id, .text = session->limit};
  *list = messages;
  return count;
}

/* ---- words */

static void tell_words(struct text *out, const char *title, const char *words) {
  if (*words) text_printf(out, "\n%s: %s", title, words);
}

static bool is_class_told(enum qualifier_class kind) {
  return kind != QUALIFIER_SEM && kind != QUALIFIER_SPACE && kind != QUALIFIER_TYPE && kind != QUALIFIER_SOURCE_TYPE;
}

static void describe_row(const struct isa_row *row, struct text *out) {
  struct text dots = {.arena = out->arena};
  text_add(out, row->opcode);
  if (row->section) text_printf(out, ": section %s of %s, %s", row->section, ptxlit_edition(), row->title);
  else text_add(out, ": ptxlit does not model it");
  for (unsigned kind = 0; kind < QUALIFIER_CLASSES; kind++) {
    if (!(row->classes >> kind & 1) || !is_class_told((enum qualifier_class)kind)) continue;
    text_printf(&dots, "%s%s", dots.len ? "; " : "", isa_class_words(out->arena, (enum qualifier_class)kind));
  }
  tell_words(out, "Semantics", isa_sem_words(out->arena, row->sems));
  tell_words(out, "Types", isa_type_words(out->arena, row->types));
  tell_words(out, "Qualifiers", text_str(&dots));
}

static const struct isa_row *row_of(struct arena *arena, const char *word) {
  return isa_find(arena_strndup(arena, word, strcspn(word, ".")));
}

const char *ptxlit_describe(struct ptxlit *session, enum ptxlit_language language, const char *word) {
  session_begin(session);
  SESSION_GUARD(session, NULL);
  struct text out = {.arena = &session->latest};
  if (language == PTXLIT_LANGUAGE_PTX) {
    const struct isa_row *row = row_of(&session->latest, word);
    if (!row) return NULL;
    describe_row(row, &out);
  } else {
    enum cat_builtin builtin = builtin_find(word);
    if (builtin == CAT_BUILTIN_COUNT) return NULL;
    text_printf(&out, "%s: %s", word, builtin_meaning(builtin));
  }
  return text_str(&out);
}

static void offer(struct text *out, const char *word, const char *start) {
  if (base_begins(word, start)) text_printf(out, "%s\n", word);
}

/* Offers the dot suffixes of the row that begin with `start`, which begins with a dot. */
static void offer_dots(const struct isa_row *row, const char *start, struct text *out) {
  for (unsigned type = 0; type < PTX_TYPES; type++)
    if (row->types >> type & 1) offer(out, isa_type_spelling((enum ptx_type)type), start);
  for (unsigned sem = 0; row->sems >> sem; sem++)
    if (row->sems >> sem & 1) offer(out, sem_word((enum sem)sem), start);
  for (struct isa_word word = {0}; isa_next_word(&word);)
    if (row->classes >> word.kind & 1 && word.kind != QUALIFIER_TYPE && word.kind != QUALIFIER_SEM)
      offer(out, word.spelling, start);
}

const char *ptxlit_complete(struct ptxlit *session, enum ptxlit_language language, const char *start) {
  session_begin(session);
  SESSION_GUARD(session, NULL);
  struct text out = {.arena = &session->latest};
  const char *dot = strrchr(start, '.');
  if (language == PTXLIT_LANGUAGE_CAT) {
    for (unsigned i = 0; i < CAT_BUILTIN_COUNT; i++) offer(&out, builtin_name((enum cat_builtin)i), start);
  } else if (dot) {
    const struct isa_row *row = row_of(&session->latest, start);
    if (row) offer_dots(row, dot, &out);
  } else {
    const struct isa_row *row;
    for (size_t i = 0; (row = isa_row_at(i)); i++) offer(&out, row->opcode, start);
  }
  return text_str(&out);
}
