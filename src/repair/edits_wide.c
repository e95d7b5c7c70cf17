/* One wider access in place of a vector access, which may tear between its elements (8.2.4).
 *
 *     st.relaxed.gpu.v2.u32 [x], {r0, r1}        mov.b64 wide, {r0, r1} and then st.relaxed.gpu.b64 [x], wide
 *     ld.relaxed.gpu.v2.u32 {r0, r1}, [x]        ld.relaxed.gpu.b64 wide, [x] and then mov.b64 {r0, r1}, wide
 *
 * Four elements of 32 bits are packed in halves: half and other first, and then these as .b128.
 */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "repair/edits.h"

/* Of more than 64 bits only two halves can be packed, each of which takes a mov of its own. */
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

/* True if both may be of one address: an address in a register may be any. */
static bool may_meet(const struct instr *a, const struct instr *b) {
  if (a->type.width != b->type.width || a->elements != b->elements) return false;
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

/* ---- The parts ---- */

/* .u32, .b64, .f32 */
static bool is_type(const char *word) { return strchr("usbf", word[1]) && isdigit((unsigned char)word[2]); }

static bool is_vector(const char *word) { return word[1] == 'v' && isdigit((unsigned char)word[2]); }

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

/* An instruction being made, in a thread in place of one of its own. */
struct wide {
  struct arena *arena;
  struct intern *names;
  const struct thread *thread;
  uint32_t instr;
  struct litmus_instr *out;
};

/* A register between two of the instructions: the number of the one replaced keeps those of one thread apart. */
static struct litmus_operand *wide_register(const struct wide *w, const char *name) {
  struct litmus_operand *operand = ARENA_NEW(w->arena, struct litmus_operand);
  name = arena_printf(w->arena, "%s%u", name, w->instr);
  while (has_register(w->thread, name)) name = arena_printf(w->arena, "%s_", name);
  *operand = (struct litmus_operand){.kind = LITMUS_NAME, .u.ref = {.percent = true, .name = intern(w->names, name)}};
  return operand;
}

static void set_operands(const struct wide *w, bool in_order, const struct litmus_operand *a,
                         const struct litmus_operand *b) {
  w->out->operands = copy(w->arena, in_order ? a : b, copy(w->arena, in_order ? b : a, NULL));
}

uint32_t edits_wide_parts(const struct program *program, struct edit_place place) {
  return in_halves(&program->threads[place.thread].instrs[place.instr]) ? 4 : 2;
}

static struct litmus_operand *vector_of(struct arena *arena, const struct litmus_operand *first,
                                        const struct litmus_operand *second) {
  struct litmus_operand *vector = ARENA_NEW(arena, struct litmus_operand);
  *vector = (struct litmus_operand){.kind = LITMUS_VECTOR};
  vector->u.items = copy(arena, first, copy(arena, second, NULL));
  return vector;
}

/* The instruction that packs, or where the access is a load unpacks: one for the whole vector, or for each half and for
 * both halves. */
static void set_packing(struct wide *w, const struct instr *i, const struct litmus_operand *vector, uint32_t step) {
  struct litmus_operand *halves[] = {wide_register(w, "half"), wide_register(w, "other")};
  const struct litmus_operand *packed = wide_register(w, "wide"), *parts = vector;
  uint32_t bits = (uint32_t)(i->elements * i->type.width);
  if (in_halves(i) && step == 2) {
    parts = vector_of(w->arena, halves[0], halves[1]);
  } else if (in_halves(i)) {
    const struct litmus_operand *item = vector->u.items;
    packed = halves[step];
    bits /= 2;
    if (step) item = item->next->next;
    parts = vector_of(w->arena, item, item->next);
  }
  w->out->opcode.text = intern(w->names, "mov");
  edits_append(w->arena, w->names, &w->out->qualifiers, arena_printf(w->arena, ".b%u", bits));
  set_operands(w, i->kind == INSTR_STORE, packed, parts);
}

static void set_access(struct wide *w, const struct instr *i, const struct litmus_instr *written,
                       const struct litmus_operand *address) {
  for (const struct litmus_word *word = written->qualifiers.first; word; word = word->next)
    if (!is_type(word->text) && !is_vector(word->text))
      edits_append(w->arena, w->names, &w->out->qualifiers, word->text);
  const char *type = arena_printf(w->arena, ".b%u", (unsigned)(i->elements * i->type.width));
  edits_append(w->arena, w->names, &w->out->qualifiers, type);
  set_operands(w, i->kind == INSTR_LOAD, wide_register(w, "wide"), address);
}

struct litmus_instr *edits_wide_part(struct arena *arena, struct intern *names, const struct litmus_test *test,
                                     const struct program *program, struct edit_place place, uint32_t part) {
  const struct instr *i = &program->threads[place.thread].instrs[place.instr];
  const struct litmus_instr *written = edits_written(test, program, place.thread, place.instr);
  bool load = i->kind == INSTR_LOAD;
  uint32_t last = edits_wide_parts(program, place) - 1, step = load ? last - part : part;
  struct wide w = {arena, names, &program->threads[place.thread], place.instr, ARENA_NEW(arena, struct litmus_instr)};
  *w.out = *written;
  w.out->qualifiers = (struct litmus_words){0};
  const struct litmus_operand *first = written->operands, *second = first->next;
  if (step == last) set_access(&w, i, written, load ? second : first);
  else set_packing(&w, i, load ? first : second, step);
  return w.out;
}

/* As the operand was written; a new one has no place. */
static void add_operand(struct text *out, const struct litmus_operand *operand) {
  const struct span *span = &operand->span;
  if (span->source) text_printf(out, "%.*s", (int)(span->end - span->begin), span->source->text + span->begin);
  else if (operand->kind != LITMUS_VECTOR) text_printf(out, "%%%s", operand->u.ref.name);
  for (const struct litmus_operand *item = operand->u.items; !span->source && operand->kind == LITMUS_VECTOR && item;
       item = item->next) {
    text_add(out, item == operand->u.items ? "{" : ", ");
    add_operand(out, item);
    if (!item->next) text_char(out, '}');
  }
}

const char *edits_wide_text(struct arena *arena, const struct litmus_test *test, const struct program *program,
                            struct edit_place place, uint32_t part) {
  struct text out = {.arena = arena};
  struct intern names;
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
