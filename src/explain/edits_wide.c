/* One wider access in place of a vector access, which may tear between its elements (8.2.4).
 *
 *     st.relaxed.gpu.v2.u32 [x], {r0, r1}        mov.b64 wide, {r0, r1} and then st.relaxed.gpu.b64 [x], wide
 *     ld.relaxed.gpu.v2.u32 {r0, r1}, [x]        ld.relaxed.gpu.b64 wide, [x] and then mov.b64 {r0, r1}, wide
 *
 * Only pairs are packed: for more elements it takes several movs.
 */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "explain/edits.h"

static bool can_widen(const struct litmus_test *test, const struct program *program, uint32_t t, uint32_t n) {
  const struct instr *i = &program->threads[t].instrs[n];
  bool access = (i->kind == INSTR_LOAD || i->kind == INSTR_STORE) && i->proxy == PROXY_GENERIC;
  bool pair = i->elements == 2 && !i->packed && i->type.width >= 16;
  const struct litmus_instr *written = access && pair ? edits_written(test, program, t, n) : NULL;
  if (!written || !written->operands || !written->operands->next) return false;
  const struct litmus_operand *vector = i->kind == INSTR_LOAD ? written->operands : written->operands->next;
  return vector->kind == LITMUS_VECTOR;
}

/* Whether both may be of one address: an address in a register may be any. */
static bool may_meet(const struct instr *a, const struct instr *b) {
  if (a->type.width != b->type.width) return false;
  if (a->addr.base.kind != OPERAND_IMM || b->addr.base.kind != OPERAND_IMM) return true;
  return a->addr.base.imm == b->addr.base.imm && a->addr.offset == b->addr.offset;
}

enum { COST_WIDEN = 40 };

static void add_site(struct arena *arena, const struct litmus_test *test, const struct program *program,
                     struct edit_place first, struct sites *out) {
  const struct instr *instr = &program->threads[first.thread].instrs[first.instr];
  VEC(struct edit_place) places = {0};
  struct site site = {0};
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t n = 0; n < program->threads[t].instr_count; n++) {
      const struct instr *other = &program->threads[t].instrs[n];
      if (!can_widen(test, program, t, n) || !may_meet(instr, other)) continue;
      if (t < first.thread || (t == first.thread && n < first.instr)) return; /* listed there */
      VEC_PUSH(arena, &places, ((struct edit_place){t, n}));
    }
  struct edit edit = {.kind = EDIT_WIDEN, .thread = first.thread, .instr = first.instr, .cost = COST_WIDEN};
  edit.places = places.data;
  edit.place_count = places.len;
  VEC_PUSH(arena, &site.variants, edit);
  VEC_PUSH(arena, &out->list, site);
}

void edits_wider(struct arena *arena, const struct litmus_test *test, const struct program *program,
                 struct sites *out) {
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t n = 0; n < program->threads[t].instr_count; n++)
      if (can_widen(test, program, t, n)) add_site(arena, test, program, (struct edit_place){t, n}, out);
}

/* ---- The two parts ---- */

static void append(struct arena *arena, struct intern *names, struct litmus_words *words, const char *text) {
  struct litmus_word *word = ARENA_NEW(arena, struct litmus_word);
  *word = (struct litmus_word){.text = intern(names, text)};
  if (words->last) words->last->next = word;
  else words->first = word;
  words->last = word;
}

/* .u32, .b64, .f32 */
static bool is_type(const char *word) { return strchr("usbf", word[1]) && isdigit((unsigned char)word[2]); }

static struct litmus_operand *copy(struct arena *arena, const struct litmus_operand *from,
                                   struct litmus_operand *next) {
  struct litmus_operand *operand = ARENA_NEW(arena, struct litmus_operand);
  *operand = *from;
  operand->next = next;
  return operand;
}

static bool has_register(const struct thread *thread, const char *name) {
  for (uint32_t i = 0; i < thread->reg_count; i++)
    if (strcmp(thread->regs[i].name, name) == 0) return true;
  return false;
}

/* The register between the two: the instruction's number keeps those of one thread apart. */
static struct litmus_operand *wide_register(struct arena *arena, struct intern *names, const struct program *program,
                                            struct edit_place place) {
  const struct thread *thread = &program->threads[place.thread];
  struct litmus_operand *operand = ARENA_NEW(arena, struct litmus_operand);
  const char *name = arena_printf(arena, "wide%u", place.instr);
  while (has_register(thread, name)) name = arena_printf(arena, "%s_", name);
  *operand = (struct litmus_operand){.kind = LITMUS_NAME, .u.ref = {.percent = true, .name = intern(names, name)}};
  return operand;
}

struct litmus_instr *edits_wide_part(struct arena *arena, struct intern *names, const struct litmus_test *test,
                                     const struct program *program, struct edit_place place, int part) {
  const struct instr *i = &program->threads[place.thread].instrs[place.instr];
  const struct litmus_instr *written = edits_written(test, program, place.thread, place.instr);
  const char *type = arena_printf(arena, ".b%u", 2u * i->type.width);
  bool load = i->kind == INSTR_LOAD, access = load == (part == 0);
  struct litmus_instr *instr = ARENA_NEW(arena, struct litmus_instr);
  struct litmus_operand *wide = wide_register(arena, names, program, place);
  *instr = *written;
  instr->qualifiers = (struct litmus_words){0};
  const struct litmus_operand *vector = load ? written->operands : written->operands->next;
  const struct litmus_operand *address = load ? written->operands->next : written->operands;
  for (const struct litmus_word *word = written->qualifiers.first; access && word; word = word->next)
    if (!is_type(word->text) && strcmp(word->text, ".v2") != 0) append(arena, names, &instr->qualifiers, word->text);
  append(arena, names, &instr->qualifiers, type);
  if (!access) instr->opcode.text = intern(names, "mov");
  const struct litmus_operand *other = access ? address : vector;
  bool wide_first = load == access;
  instr->operands = wide_first ? wide : copy(arena, other, wide);
  if (wide_first) wide->next = copy(arena, other, NULL);
  return instr;
}

/* As the operand was written; the register that is new has no place. */
static void add_operand(struct text *out, const struct litmus_operand *operand) {
  const struct span *span = &operand->span;
  if (!span->source) text_printf(out, "%%%s", operand->u.ref.name);
  else text_printf(out, "%.*s", (int)(span->end - span->begin), span->source->text + span->begin);
}

const char *edits_wide_text(struct arena *arena, const struct litmus_test *test, const struct program *program,
                            struct edit_place place, int part) {
  struct text out;
  struct intern names;
  text_init(&out, arena);
  intern_init(&names, arena);
  const struct litmus_instr *instr = edits_wide_part(arena, &names, test, program, place, part);
  if (instr->guard) text_printf(&out, "@%s%s ", instr->guard_negated ? "!" : "", instr->guard->text);
  text_add(&out, instr->opcode.text);
  for (const struct litmus_word *word = instr->qualifiers.first; word; word = word->next) text_add(&out, word->text);
  text_char(&out, ' ');
  add_operand(&out, instr->operands);
  text_add(&out, ", ");
  add_operand(&out, instr->operands->next);
  return text_str(&out);
}
