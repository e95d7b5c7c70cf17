#include "nvlitmus/build.h"

#define MAKE(type, ...) ARENA_MAKE(parse->base.arena, struct type, __VA_ARGS__)

/* The proxy of the names that a declaration with this word introduces; NULL if the word declares no reference. */
static const char *proxy_of(const char *space) {
  static const char *const table[][2] = {{".surfref", "surface"}, {".texref", "texture"}, {".conref", "constant"}};
  for (size_t i = 0; i < ARRAY_LEN(table); i++)
    if (strcmp(space, table[i][0]) == 0) return table[i][1];
  return NULL;
}

static bool fits(struct nv_parse *parse, const struct litmus_word *space, bool reference, bool alias, bool physical) {
  struct diagnostic *d;
  bool plain = strcmp(space->text, ".global") == 0 || strcmp(space->text, ".shared") == 0;
  if (!reference && !plain) {
    d = litmus_error(&parse->base, DIAG_WRONG_DECLARATION, space->span, "'%s' is not a declaration", space->text);
    diag_hint(parse->base.diags, d, "a declaration starts with .global, .shared, .surfref, .texref or .conref");
  } else if (reference && (!alias || physical)) {
    d = litmus_error(&parse->base, DIAG_WRONG_DECLARATION, space->span, "a reference needs a location to refer to");
    diag_hint(parse->base.diags, d, "for example: .surfref s virtually aliases x;");
  } else if (plain && alias && !physical) {
    litmus_error(&parse->base, DIAG_WRONG_DECLARATION, space->span,
                 "only a .surfref, .texref or .conref is a virtual alias");
  } else {
    return true;
  }
  return false;
}

void nv_add_location(struct nv_parse *parse, const struct litmus_word *space, const struct litmus_word *name,
                     struct litmus_word *of, bool physical, struct span span) {
  const char *proxy = proxy_of(space->text);
  if (!fits(parse, space, proxy != NULL, of != NULL, physical)) return;
  struct litmus_words qualifiers = {0};
  if (!of) qualifiers = litmus_words_add(qualifiers, litmus_word_of(&parse->base, space->text, space->span));
  struct litmus_entry *entry =
      litmus_entry_new(&parse->base, qualifiers, (struct litmus_words){0}, litmus_ref_plain(&parse->base, name), span);
  entry->alias_of = of;
  if (of) entry->alias_kind = litmus_word_of(&parse->base, proxy ? proxy : "generic", space->span);
  LIST_ADD(parse->entries, entry);
}

/* The number in `d0`, `.b0` or `.t0`. */
static uint32_t place(struct nv_parse *parse, const struct litmus_word *word, const char *prefix, const char *what) {
  size_t length = strlen(prefix);
  const char *digits = word->text + length;
  if (strncmp(word->text, prefix, length) == 0 && *digits && strspn(digits, "0123456789") == strlen(digits)) {
    struct litmus_number number = litmus_number_new(&parse->base, digits, strlen(digits), word->span);
    return litmus_small(&parse->base, number, 1000000, "the number of a level");
  }
  litmus_error(&parse->base, DIAG_SYNTAX, word->span,
               "'%s' is not a %s" HINT "write a thread as d0.b0.t0: GPU, CTA, thread", word->text, what);
  return 0;
}

static bool same_thread(const struct nv_thread *a, const struct nv_thread *b) {
  const struct litmus_level *x = a->thread->levels, *y = b->thread->levels;
  return a->number == b->number && x->number == y->number && x->next->number == y->next->number;
}

void nv_add_thread(struct nv_parse *parse, const struct litmus_word *gpu, const struct litmus_word *cta,
                   const struct litmus_word *thread, struct litmus_cells instrs, struct span span) {
  struct litmus_parse *base = &parse->base;
  struct litmus_thread *column = MAKE(litmus_thread, .placed = true, .span = span);
  column->name = *litmus_word_of(base, arena_printf(base->arena, "P%u", parse->threads.count), span);
  column->levels = MAKE(litmus_level, .key = *litmus_word_of(base, "cta", cta->span),
                        .number = place(parse, cta, ".b", "CTA"));
  column->levels->next = MAKE(litmus_level, .key = *litmus_word_of(base, "gpu", gpu->span),
                              .number = place(parse, gpu, "d", "GPU"));
  struct nv_thread *node = MAKE(nv_thread, column, place(parse, thread, ".t", "thread"), instrs, NULL);
  LIST_EACH (t, parse->threads.first) {
    if (!same_thread(t, node)) continue;
    struct diagnostic *d = litmus_error(&parse->base, DIAG_DUPLICATE_THREAD, span, "thread %s%s%s has two blocks",
                                        gpu->text, cta->text, thread->text);
    diag_beside(d, t->thread->span, "the first one");
  }
  LIST_ADD(parse->threads, node);
  parse->threads.count++;
}

void nv_add_command(struct nv_parse *parse, enum nv_kind kind, struct litmus_cond *condition,
                    const struct litmus_word *name, struct span span) {
  LIST_ADD(parse->commands, MAKE(nv_command, kind, *name, condition, span, NULL));
}

void nv_assume(struct nv_parse *parse, const struct litmus_operand *operands, struct litmus_number value,
               struct span span) {
  bool named = operands && operands->kind == LITMUS_NAME;
  LIST_ADD(parse->assumptions, MAKE(nv_assumption, named ? operands : NULL, value, span, NULL));
}
