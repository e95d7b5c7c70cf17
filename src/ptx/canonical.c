#include "litmus/build.h"
#include "ptx/lower.h"

/* A barrier of a CTA, with the operands that the dialects read differently. */
struct barrier_words {
  bool cta, sync;
  uint32_t operands;
};

static bool is_barrier(const struct litmus_instr *instr, struct barrier_words *out) {
  bool arrive = false;
  *out = (struct barrier_words){0};
  if (!instr || (strcmp(instr->opcode.text, "bar") != 0 && strcmp(instr->opcode.text, "barrier") != 0)) return false;
  LIST_EACH (word, instr->qualifiers.first) {
    out->cta = out->cta || strcmp(word->text, ".cta") == 0;
    out->sync = out->sync || strcmp(word->text, ".sync") == 0;
    arrive = arrive || strcmp(word->text, ".arrive") == 0;
  }
  out->operands = LIST_LENGTH(instr->operands);
  return out->cta && (out->sync || arrive) && out->operands >= 2;
}

bool lower_has_instance(bool sync, uint32_t operands, const struct lower_options *options) {
  return operands == 3 || (operands == 2 && sync && options->dat3m_barriers);
}

/* The instruction without the qualifier .cta, which has no meaning, and without an instance number, so that all
 * dialects read it in the same way. */
static struct litmus_instr *rewrite(struct arena *arena, const struct litmus_instr *instr,
                                    const struct barrier_words *words, const struct lower_options *options) {
  struct litmus_instr *copy = ARENA_COPY(arena, instr);
  copy->qualifiers = (struct litmus_words){0};
  LIST_EACH (word, instr->qualifiers.first) {
    if (strcmp(word->text, ".cta") == 0) continue;
    struct litmus_word *kept = ARENA_COPY(arena, word);
    kept->next = NULL;
    copy->qualifiers = litmus_words_add(copy->qualifiers, kept);
  }
  if (lower_has_instance(words->sync, words->operands, options)) copy->operands = copy->operands->next;
  return copy;
}

static bool is_atomic(const struct litmus_instr *instr) {
  return instr && (strcmp(instr->opcode.text, "red") == 0 || strcmp(instr->opcode.text, "atom") == 0);
}

/* ---- Atomics in PTX's words */

static const struct litmus_operand *last_operand(const struct litmus_instr *instr) {
  const struct litmus_operand *last = instr->operands;
  while (last && last->next) last = last->next;
  return last;
}

static bool is_of_64_bits(const struct litmus_instr *instr) {
  const struct litmus_word *last = instr->qualifiers.last;
  size_t length = last ? strlen(last->text) : 0;
  return length > 2 && strcmp(last->text + length - 2, "64") == 0;
}

/* True if it subtracts a register, which must be negated first. */
static bool subtracts_register(const struct litmus_instr *instr, const struct lower_options *options) {
  if (!options->dat3m_barriers || !is_atomic(instr) || !instr->operands) return false;
  LIST_EACH (word, instr->qualifiers.first)
    if (strcmp(word->text, ".sub") == 0) return last_operand(instr)->kind == LITMUS_NAME;
  return false;
}

/* The register for the negated value, with a unique name. */
static const char *negative_name(struct arena *arena, const struct litmus_operand *of) {
  return arena_printf(arena, "%s$neg", of->u.ref.name);
}

static struct litmus_operand *register_operand(struct arena *arena, const struct litmus_operand *of, const char *name) {
  struct litmus_operand *operand = ARENA_COPY(arena, of);
  operand->next = NULL;
  operand->u.ref = (struct litmus_ref){.name = name, .percent = true, .span = of->u.ref.span};
  return operand;
}

/* neg.s32 %r0$neg, r0 */
static struct litmus_instr *negate(struct arena *arena, const struct litmus_instr *instr) {
  struct litmus_instr *neg = ARENA_NEW(arena, struct litmus_instr);
  struct litmus_word *type = ARENA_NEW(arena, struct litmus_word);
  struct litmus_operand *from = ARENA_NEW(arena, struct litmus_operand);
  *from = *last_operand(instr);
  *neg = (struct litmus_instr){.span = instr->span, .opcode = {.text = "neg", .span = instr->opcode.span}};
  *type = (struct litmus_word){.text = is_of_64_bits(instr) ? ".s64" : ".s32", .span = instr->opcode.span};
  neg->qualifiers = litmus_words_add(neg->qualifiers, type);
  neg->operands = register_operand(arena, from, negative_name(arena, from));
  neg->operands->next = from;
  return neg;
}

/* The row that must precede, with the labels of its columns; NULL: none. */
static struct litmus_row *row_before(struct arena *arena, const struct litmus_row *row,
                                     const struct lower_options *options) {
  struct litmus_row *before = ARENA_NEW(arena, struct litmus_row);
  struct litmus_cell **end = &before->cells;
  bool any = false;
  *before = *row;
  for (const struct litmus_cell *cell = row->cells; cell; cell = cell->next, end = &(*end)->next) {
    bool needed = subtracts_register(cell->instr, options);
    *end = ARENA_NEW(arena, struct litmus_cell);
    **end = (struct litmus_cell){.span = cell->span};
    if (needed) (*end)->labels = cell->labels, (*end)->instr = negate(arena, cell->instr);
    any |= needed;
  }
  return any ? before : NULL;
}

/* The negative of a number at this width. */
static struct litmus_number negative_of(struct litmus_number number, unsigned width) {
  bool beyond = !number.negative && number.value > (value_t)1 << (width - 1);
  if (beyond) number.value = (0 - number.value) & value_mask(width);
  else number.negative = !number.negative;
  return number;
}

/* red.acq_rel releases, and .sub is .add of the negative. */
static struct litmus_instr *atomic_of_ptx(struct arena *arena, const struct litmus_instr *instr) {
  struct litmus_instr *copy = ARENA_NEW(arena, struct litmus_instr);
  const struct litmus_operand *last = last_operand(instr);
  *copy = *instr;
  copy->qualifiers = (struct litmus_words){0};
  bool writable = last && (last->kind == LITMUS_NAME || last->kind == LITMUS_NUMBER);
  bool negates = false, red = strcmp(instr->opcode.text, "red") == 0;
  LIST_EACH (word, instr->qualifiers.first) {
    struct litmus_word *kept = ARENA_NEW(arena, struct litmus_word);
    bool sub = writable && strcmp(word->text, ".sub") == 0;
    *kept = *word;
    kept->next = NULL;
    if (red && strcmp(word->text, ".acq_rel") == 0) kept->text = ".release";
    if (sub) kept->text = ".add";
    negates |= sub;
    copy->qualifiers = litmus_words_add(copy->qualifiers, kept);
  }
  struct litmus_operand **end = &copy->operands;
  for (const struct litmus_operand *operand = instr->operands; operand; operand = operand->next, end = &(*end)->next) {
    *end = ARENA_NEW(arena, struct litmus_operand);
    **end = *operand;
    if (operand != last || !negates) continue;
    if (last->kind == LITMUS_NAME) *end = register_operand(arena, last, negative_name(arena, last));
    else (*end)->u.number = negative_of(operand->u.number, is_of_64_bits(instr) ? 64 : 32);
  }
  return copy;
}

static struct litmus_cell *copy_cell(struct arena *arena, const struct litmus_cell *cell,
                                     const struct lower_options *options) {
  struct litmus_cell *copy = ARENA_NEW(arena, struct litmus_cell);
  struct barrier_words words;
  *copy = *cell;
  if (is_barrier(cell->instr, &words)) copy->instr = rewrite(arena, cell->instr, &words, options);
  if (subtracts_register(cell->instr, options)) copy->labels = NULL; /* they are in the preceding row */
  if (options->dat3m_barriers && is_atomic(cell->instr)) copy->instr = atomic_of_ptx(arena, cell->instr);
  return copy;
}

static struct litmus_row *copy_rows(struct arena *arena, const struct litmus_row *rows,
                                    const struct lower_options *options) {
  struct litmus_row *first = NULL, **end = &first;
  LIST_EACH (row, rows) {
    struct litmus_row *before = row_before(arena, row, options), *copy = ARENA_NEW(arena, struct litmus_row);
    if (before) *end = before, end = &before->next;
    *copy = *row;
    struct litmus_cell **last = &copy->cells;
    LIST_EACH (cell, row->cells) {
      *last = copy_cell(arena, cell, options);
      last = &(*last)->next;
    }
    *end = copy;
    end = &copy->next;
  }
  return first;
}

static bool has_barrier(const struct litmus_test *test) {
  struct barrier_words words;
  return SOME(LIST_EACH (row, test->rows) LIST_EACH (cell, row->cells), is_barrier(cell->instr, &words));
}

/* The declarations, including new ones for undeclared locations. */
static struct litmus_entry *declare_all(struct arena *arena, const struct litmus_entry *entries,
                                        const struct program *program) {
  struct litmus_entry *first = NULL, **end = &first;
  for (const struct litmus_entry *entry = entries; entry; entry = entry->next, end = &(*end)->next) {
    *end = ARENA_NEW(arena, struct litmus_entry);
    **end = *entry;
  }
  for (uint32_t i = 0; i < program->object_count; i++) {
    if (!program->objects[i].implicit) continue;
    *end = ARENA_NEW(arena, struct litmus_entry);
    (*end)->ref.name = program->objects[i].name;
    (*end)->values = ARENA_NEW(arena, struct litmus_value);
    end = &(*end)->next;
  }
  return first;
}

const struct litmus_test *lower_canonical(struct arena *arena, const struct litmus_test *test,
                                          const struct program *program, const struct lower_options *options) {
  if (!has_barrier(test) && !options->implicit_locations && !options->dat3m_barriers) return test;
  struct litmus_test *copy = ARENA_COPY(arena, test);
  copy->rows = copy_rows(arena, test->rows, options);
  if (options->implicit_locations) copy->entries = declare_all(arena, test->entries, program);
  return copy;
}
