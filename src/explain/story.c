#include "explain/story.h"

#include "explain/words.h"

uint32_t story_event(struct story *s, uint32_t event) {
  struct explanation *out = s->out;
  const struct execution *x = s->ask->execution;
  const struct event *e = execution_event(x, event);
  for (uint32_t i = 0; i < out->events.len; i++)
    if (out->events.data[i].event == event) return i;
  struct explain_event told = {event, e->thread, e->instr, words_effect(s->arena, x, event)};
  VEC_PUSH(s->arena, &out->events, told);
  return out->events.len - 1;
}

bool story_in_po(const struct execution *x, uint32_t a, uint32_t b) {
  return bitmat_has(x->skeleton->must[CAT_REL_PO], a, b) && bitset_has(x->exec, a) && bitset_has(x->exec, b);
}

/* True if the word is in the list, which is separated by blanks. */
static bool has_word(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
  return false;
}

const struct relation_text *story_relation(const char *name) {
  static const struct relation_text rows[] = {
#define RELATION(name, section, text, from, to) {name, section, text, from, to},
#define UNTOLD(section, names) {names, section, "", "", ""},
#include "explain/relations.def"
#undef RELATION
#undef UNTOLD
  };
  return ARRAY_FIND(e, rows, ARRAY_LEN(rows), has_word(e->name, name));
}

void story_step(struct story *s, const char *relation, uint32_t from, uint32_t to, const char *because) {
  const struct relation_text *row = story_relation(relation);
  struct explain_step step = {.relation = relation,
                              .section = story_fits(s->ask->model, row) ? row->section : "",
                              .text = row ? row->text : "",
                              .because = because};
  step.from = story_event(s, from);
  step.to = story_event(s, to);
  VEC_PUSH(s->arena, &s->out->steps, step);
}

const char *story_section(struct arena *arena, const char *axiom) {
  const char *dash = strrchr(axiom, '-');
  if (!dash || dash[1] < '0' || dash[1] > '9' || dash[strspn(dash + 1, "0123456789.") + 1]) return "";
  return arena_strdup(arena, dash + 1);
}

const char *story_source(struct story *s, uint32_t read, uint32_t write) {
  const struct execution *x = s->ask->execution;
  for (uint32_t w = 0; w < x->skeleton->n; w++)
    if (bitmat_has(x->rf, w, read) && bitmat_has(x->co, w, write))
      return arena_printf(s->arena, "it reads %s%s, which is older", w < x->skeleton->first_init ? "from " : "",
                          words_event(s->arena, x, w));
  return NULL;
}

/* The end of the line before `begin`, or NULL. */
static const char *line_before(const struct source *source, uint32_t begin) {
  while (begin && source->text[begin - 1] != '\n') begin--;
  return begin ? source->text + begin - 1 : NULL;
}

const char *story_comment(struct arena *arena, struct span span) {
  const char *end = span.source ? line_before(span.source, span.begin) : NULL;
  const char *text = end ? span.source->text : NULL;
  while (end && end > text && end[-1] == ' ') end--;
  if (!end || end - text < 4 || end[-1] != ')' || end[-2] != '*') return NULL;
  const char *begin = end - 2;
  while (begin > text + 1 && !(begin[-1] == '*' && begin[-2] == '(')) begin--;
  if (begin <= text + 1) return NULL;
  struct text out = {.arena = arena};
  bool blank = false;
  for (const char *at = begin; at < end - 2; at++) {
    if (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r') {
      blank = out.len > 0;
      continue;
    }
    if (blank) text_char(&out, ' ');
    text_char(&out, *at);
    blank = false;
  }
  return text_str(&out);
}

bool story_is_ptx(const struct model *model) {
  return model_node_named(model, "morally-strong") != CAT_NO_NODE && model_node_named(model, "cause") != CAT_NO_NODE;
}

/* True if the model has the relations of cuda.cat. */
static bool is_cpp(const struct model *model) {
  return model_node_named(model, "psc-base") != CAT_NO_NODE && model_node_named(model, "sw") != CAT_NO_NODE;
}

bool story_fits(const struct model *model, const struct relation_text *row) {
  if (!row) return false;
  return base_begins(row->section, "C++") ? is_cpp(model) : story_is_ptx(model);
}
