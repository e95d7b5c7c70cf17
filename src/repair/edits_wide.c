/* Replaces a vector access, which may tear between its elements (8.2.4), by one wider access.
 *
 *     st.relaxed.gpu.v2.u32 [x], {r0, r1}        mov.b64 wide, {r0, r1} and then st.relaxed.gpu.b64 [x], wide
 *     ld.relaxed.gpu.v2.u32 {r0, r1}, [x]        ld.relaxed.gpu.b64 wide, [x] and then mov.b64 {r0, r1}, wide
 *
 * Four elements of 32 bits are packed in halves: half and other first, and then these as .b128.
 */
#include <ctype.h>

#include "repair/edits.h"

/* True if the vector is packed by halves, with a mov for each: more than 64 bits need two halves. */
static bool in_halves(const struct instr *i) { return i->elements == 4 && i->type.width == 32; }

static bool can_widen(const struct litmus_test *test, const struct program *program, uint32_t t, uint32_t n) {
  const struct instr *i = &program->threads[t].instrs[n];
  bool access = (i->kind == INSTR_LOAD || i->kind == INSTR_STORE) && i->proxy == PROXY_GENERIC && !i->packed;
  bool packs = (i->elements == 2 && i->type.width >= 16) || (i->elements == 4 && i->type.width <= 32);
  const struct litmus_instr *written = access && packs ? edits_written(test, program, t, n) : NULL;
  if (!written || !written->operands || !written->operands->next) return false;
  const struct litmus_operand *vector = i->kind == INSTR_LOAD ? written->operands : written->operands->next;
  return vector->kind == LITMUS_VECTOR;
}

/* True if both may have the same address; an address in a register may be any address. */
static bool may_meet(const struct instr *a, const struct instr *b) {
  if (a->type.width != b->type.width || a->elements != b->elements) return false;
  if (a->addr.base.kind != OPERAND_IMM || b->addr.base.kind != OPERAND_IMM) return true;
  return a->addr.base.imm == b->addr.base.imm && a->addr.offset == b->addr.offset;
}

enum { COST_WIDEN = 40 };

static void add_site(struct edit_finder *f, uint32_t thread, uint32_t instr) {
  const struct instr *first = &f->program->threads[thread].instrs[instr];
  VEC(struct edit_place) others = {0};
  EDITS_EACH (t, n, f->program) {
    bool meets = can_widen(f->test, f->program, t, n) && may_meet(first, &f->program->threads[t].instrs[n]);
    if (!meets || (t == thread && n == instr)) continue;
    if (t < thread || (t == thread && n < instr)) return; /* listed for that access */
    VEC_PUSH(f->arena, &others, ((struct edit_place){t, n}));
  }
  edits_add(f, (struct edit){.kind = EDIT_WIDEN,
                             .thread = thread,
                             .instr = instr,
                             .others = others.data,
                             .other_count = others.len,
                             .cost = COST_WIDEN});
}

void edits_wider(struct edit_finder *f) {
  EDITS_EACH (t, n, f->program)
    if (can_widen(f->test, f->program, t, n)) add_site(f, t, n);
}

/* ---- The parts ---- */

/* .u32, .b64, .f32 */
static bool is_type(const char *word) { return strchr("usbf", word[1]) && isdigit((unsigned char)word[2]); }

static bool is_vector(const char *word) { return word[1] == 'v' && isdigit((unsigned char)word[2]); }

static bool has_register(const struct thread *thread, const char *name) {
  return SOME_BELOW(i, thread->reg_count, strcmp(thread->regs[i].name, name) == 0);
}

/* A register between two of the instructions; the number of the replaced instruction makes it unique in the thread. */
static const char *wide_register(struct arena *arena, const struct program *program, struct edit_place place,
                                 const char *name) {
  name = arena_printf(arena, "%%%s%u", name, place.instr);
  while (has_register(&program->threads[place.thread], name + 1)) name = arena_printf(arena, "%s_", name);
  return name;
}

/* The operand as in the test. */
static const char *operand_text(struct arena *arena, const struct litmus_operand *operand) {
  struct span span = operand->span;
  return arena_strndup(arena, span.source->text + span.begin, span.end - span.begin);
}

/* "mov.b64 %wide1, {r0, r1}", or, for a load, the reverse. */
static const char *packing(struct arena *arena, bool load, unsigned bits, const char *whole, const char *parts) {
  return arena_printf(arena, "mov.b%u %s, %s", bits, load ? parts : whole, load ? whole : parts);
}

static const char *access_text(struct arena *arena, const struct instr *i, const struct litmus_instr *written,
                               const char *wide) {
  struct text out = {.arena = arena};
  bool load = i->kind == INSTR_LOAD;
  const char *address = operand_text(arena, load ? written->operands->next : written->operands);
  text_add(&out, written->opcode.text);
  LIST_EACH (word, written->qualifiers.first)
    if (!is_type(word->text) && !is_vector(word->text)) text_add(&out, word->text);
  text_printf(&out, ".b%u %s, %s", (unsigned)(i->elements * i->type.width), load ? wide : address,
              load ? address : wide);
  return text_str(&out);
}

/* Packs the whole vector, or each half and then both halves, before the access. A load unpacks after it, in the reverse
 * order. */
const char *edits_wide_text(struct arena *arena, const struct litmus_test *test, const struct program *program,
                            struct edit_place place) {
  const struct instr *i = &program->threads[place.thread].instrs[place.instr];
  const struct litmus_instr *written = edits_written(test, program, place.thread, place.instr);
  bool load = i->kind == INSTR_LOAD;
  const struct litmus_operand *vector = load ? written->operands : written->operands->next;
  const char *wide = wide_register(arena, program, place, "wide"), *parts = operand_text(arena, vector), *list[4];
  unsigned bits = (unsigned)(i->elements * i->type.width);
  size_t count = 0;
  if (in_halves(i)) {
    const char *const halves[] = {wide_register(arena, program, place, "half"),
                                  wide_register(arena, program, place, "other")};
    const struct litmus_operand *item = vector->u.items;
    for (size_t k = 0; k < 2; k++, item = item->next->next) {
      const char *pair = arena_printf(arena, "{%s, %s}", operand_text(arena, item), operand_text(arena, item->next));
      list[count++] = packing(arena, load, bits / 2, halves[k], pair);
    }
    parts = arena_printf(arena, "{%s, %s}", halves[0], halves[1]);
  }
  list[count++] = packing(arena, load, bits, wide, parts);
  list[count++] = access_text(arena, i, written, wide);
  struct text out = {.arena = arena};
  for (size_t k = 0; k < count; k++) {
    text_add(&out, k ? "; " : "");
    if (written->guard) text_printf(&out, "@%s%s ", written->guard_negated ? "!" : "", written->guard->text);
    text_add(&out, list[load ? count - 1 - k : k]);
  }
  return text_str(&out);
}
