/* A stated outcome as the condition of a test. */
#include <string.h>

#include "base/text.h"
#include "explain/explain.h"

/* The text that is parsed in place of the outcome, and for each of its bytes the byte of the outcome it stands for. */
struct wrapped {
  struct text text;
  uint32_t *origin;
  uint32_t begin; /* where the outcome starts */
};

static const char head[] = "PTX state\n{ }\n P0@cta 0 ;\n ;\nexists (";

/* An outcome as ptxlit and herd print it, `0:r0=0; 1:r1=0;`, is a conjunction; a condition may keep its `exists`. */
static void wrap(struct arena *arena, const char *outcome, struct wrapped *out) {
  static const char exists[] = "exists";
  size_t length = strlen(outcome), skipped = strspn(outcome, " \t\n");
  while (length && strchr(" ;\t\n", outcome[length - 1])) length--;
  if (strncmp(outcome + skipped, exists, strlen(exists)) == 0 && strchr(" (", outcome[skipped + strlen(exists)]))
    skipped += strlen(exists);
  else skipped = 0;
  text_init(&out->text, arena);
  out->origin = ARENA_ARRAY(arena, uint32_t, 3 * length + 8);
  text_add(&out->text, head);
  out->begin = (uint32_t)out->text.len;
  for (uint32_t i = 0; i < length; i++) {
    size_t before = out->text.len;
    if (i < skipped) text_char(&out->text, ' ');
    else if (outcome[i] == ';') text_add(&out->text, "/\\ ");
    else text_char(&out->text, outcome[i]);
    for (size_t at = before; at < out->text.len; at++) out->origin[at - out->begin] = i;
  }
  for (size_t at = out->text.len; at < out->text.len + 3; at++) out->origin[at - out->begin] = (uint32_t)length;
  text_add(&out->text, ")\n");
}

struct mover {
  const struct source *from, *to;
  const struct wrapped *wrapped;
};

static uint32_t moved(const struct mover *m, uint32_t at) {
  uint32_t begin = m->wrapped->begin, end = (uint32_t)m->wrapped->text.len - 1;
  if (at < begin) return 0;
  return m->wrapped->origin[(at > end ? end : at) - begin];
}

static void move_span(const struct mover *m, struct span *span) {
  if (span->source != m->from) return;
  uint32_t begin = moved(m, span->begin), last = span->end > span->begin ? moved(m, span->end - 1) + 1 : begin;
  *span = (struct span){m->to, begin, last > m->to->length ? (uint32_t)m->to->length : last};
}

static void move_term(const struct mover *m, struct litmus_term *term) {
  move_span(m, &term->span);
  if (term->kind == LITMUS_TERM_NUMBER) {
    move_span(m, &term->number.span);
  } else {
    move_span(m, &term->ref.span);
    move_span(m, &term->ref.owner_span);
  }
}

/* As deep as the parser lets conditions be. */
static void move_cond(const struct mover *m, struct litmus_cond *cond) {
  move_span(m, &cond->span);
  if (cond->kind == LITMUS_COMPARE) {
    move_term(m, cond->a);
    move_term(m, cond->b);
  }
  for (struct litmus_cond *part = cond->parts; part; part = part->next) move_cond(m, part);
}

/* ---- Errors in it ---- */

static bool is_blank(const char *outcome) { return !outcome[strspn(outcome, " ;\t\r\n")]; }

/* The brackets that the outcome stands in are not its author's: the end of the state is meant. */
static const char *without_bracket(struct arena *arena, const char *message, bool inside) {
  static const char found[] = "')' is not expected here", expected[] = " or ')'";
  size_t length = strlen(message), tail = strlen(expected);
  if (strncmp(message, found, strlen(found)) == 0 && !inside)
    return arena_printf(arena, "the state must not end here%s", message + strlen(found));
  if (length > tail && strcmp(message + length - tail, expected) == 0 && !inside)
    return arena_printf(arena, "%.*s or the end of the state", (int)(length - tail), message);
  return message;
}

static bool open_bracket_before(const char *outcome, uint32_t end) {
  int depth = 0;
  for (uint32_t i = 0; i < end && outcome[i]; i++) depth += (outcome[i] == '(') - (outcome[i] == ')');
  return depth > 0;
}

static void translate(struct diags *diags, const struct mover *m, struct diagnostic *d) {
  bool ours = d->other.source == m->from && d->other.begin < m->wrapped->begin; /* a bracket that nobody wrote */
  if (ours) d->other = (struct span){0};
  move_span(m, &d->span);
  move_span(m, &d->other);
  if (d->code != DIAG_SYNTAX) return;
  if (m->to->text[d->span.begin] == ')') d->message = "no bracket is open here";
  else d->message = without_bracket(diags->arena, d->message, open_bracket_before(m->to->text, d->span.begin));
  if (!d->hint) diag_hint(diags, d, "write it as it is printed, 0:r0=0; x=1; or as a condition, 0:r0=0 \\/ ~(x=1)");
}

static const struct litmus_test *asked_test(struct arena *arena, const struct litmus_test *test,
                                            struct litmus_cond *condition, const struct source *shown) {
  struct litmus_test *asked = ARENA_NEW(arena, struct litmus_test);
  *asked = *test;
  asked->quantifier = LITMUS_EXISTS;
  asked->condition = condition;
  asked->condition_span = (struct span){shown, 0, (uint32_t)shown->length};
  asked->filter = NULL;
  return asked;
}

const struct litmus_test *explain_state(struct arena *arena, struct intern *names, struct diags *diags,
                                        const struct litmus_test *test, const char *outcome) {
  struct source *wrapping = ARENA_NEW(arena, struct source), *shown = ARENA_NEW(arena, struct source);
  struct wrapped wrapped;
  uint32_t before = diags->list.len;
  wrap(arena, outcome, &wrapped);
  *wrapping = source_from_text("<state>", text_str(&wrapped.text), wrapped.text.len);
  *shown = source_from_text("<state>", arena_strdup(arena, outcome), strlen(outcome));
  struct mover mover = {wrapping, shown, &wrapped};
  if (is_blank(outcome)) {
    diag_report(diags, DIAG_SYNTAX, (struct span){shown, 0, (uint32_t)shown->length},
                "the state is empty" HINT "give the values to explain, such as 0:r0=0; 1:r1=0;");
    return NULL;
  }
  struct litmus_test *parsed = litmus_parse(arena, names, diags, wrapping);
  for (uint32_t i = before; i < diags->list.len; i++) translate(diags, &mover, &diags->list.data[i]);
  if (!parsed) return NULL;
  move_cond(&mover, parsed->condition);
  return asked_test(arena, test, parsed->condition, shown);
}
