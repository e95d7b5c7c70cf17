#include "kernel/usage.h"

enum { ROUNDS = 16, SCALAR = 1 << USAGE_AXES, LOOP = 1 << USAGE_LOOP };

/* The registers of a kernel, and what their values come from: a bit for each axis of a place, and SCALAR. */
struct marks {
  struct arena *arena;
  VEC(const char *) names;
  VEC(unsigned) bits;
  struct hash_index index;
  const char *param;
  bool changed;
};

static unsigned *mark_of(struct marks *m, const char *name) {
  uint64_t hash = hash_bytes(name, strlen(name));
  HASH_EACH (i, &m->index, hash)
    if (m->names.data[i] == name) return &m->bits.data[i];
  VEC_PUSH(m->arena, &m->names, name);
  VEC_PUSH(m->arena, &m->bits, 0);
  hash_add(m->arena, &m->index, hash, m->names.len - 1);
  return &m->bits.data[m->bits.len - 1];
}

/* The axis of %tid.y and the like: 1; -1: it is no place. `prefix`: tid, ctaid. */
static int axis_of(const char *name, const char *prefix) {
  size_t length = strlen(prefix);
  name += *name == '%';
  if (strncmp(name, prefix, length) != 0 || name[length] != '.' || !name[length + 1] || name[length + 2]) return -1;
  int axis = name[length + 1] - 'x';
  return axis >= 0 && axis < USAGE_AXES ? axis : -1;
}

static const char *name_of(const struct litmus_operand *operand, struct text *room) {
  room->len = 0;
  if (operand->kind == LITMUS_NAME || operand->kind == LITMUS_BRACKET || operand->kind == LITMUS_NEGATED)
    return operand->u.ref.name;
  if (operand->kind != LITMUS_SPECIAL) return "";
  LIST_EACH (word, operand->u.words.first) text_add(room, word->text);
  return text_str(room);
}

static void note_place(struct usage *u, const char *name) {
  static const char *const threads[] = {"%laneid", "%warpid", "%ntid", "%lanemask"};
  static const char *const blocks[] = {"%nctaid", "%clusterid", "%cluster_cta", "%nclusterid"};
  for (int i = 0; i < USAGE_AXES; i++) {
    bool thread = axis_of(name, "tid") == i, block = axis_of(name, "ctaid") == i;
    u->thread_axis[i] |= thread, u->block_axis[i] |= block;
    u->threads |= thread, u->blocks |= block;
  }
  const char *bare = name + (*name == '%');
  for (size_t i = 0; i < ARRAY_LEN(threads); i++) u->threads |= base_begins(bare, threads[i] + 1);
  for (size_t i = 0; i < ARRAY_LEN(blocks); i++) u->blocks |= base_begins(bare, blocks[i] + 1);
  u->cooperative |= strcmp(bare, "envreg1") == 0 || strcmp(bare, "envreg2") == 0;
}

static void note_operands(struct usage *u, const struct litmus_operand *operand, struct text *room) {
  for (; operand; operand = operand->next) {
    note_place(u, name_of(operand, room));
    bool items = operand->kind == LITMUS_VECTOR || operand->kind == LITMUS_PAIR || operand->kind == LITMUS_LIST;
    if (items) note_operands(u, operand->u.items, room);
  }
}

/* Some instruction meets threads of a warp or a block: it needs no place to concern many threads. */
static bool meets(const struct litmus_instr *instr) {
  static const char *const opcodes[] = {"bar", "barrier", "shfl", "vote", "match", "redux", "elect", "wgmma", "mma"};
  return SOME_BELOW(i, ARRAY_LEN(opcodes), strcmp(instr->opcode.text, opcodes[i]) == 0);
}

struct usage usage_of(struct arena *arena, const struct module *module, const struct module_function *kernel) {
  struct usage u = {0};
  struct text room = {.arena = arena};
  LIST_EACH (f, module->functions.first) {
    if (f != kernel && f->is_entry) continue;
    LIST_EACH (item, f->items) {
      if (item->kind != MODULE_INSTR) continue;
      note_operands(&u, item->instr->operands, &room);
      u.threads |= meets(item->instr);
    }
  }
  return u;
}

static unsigned marks_in(struct marks *m, const struct litmus_operand *operand, struct text *room) {
  unsigned bits = 0;
  for (; operand; operand = operand->next) {
    const char *name = name_of(operand, room);
    for (int i = 0; i < USAGE_AXES; i++)
      if (axis_of(name, "tid") == i || axis_of(name, "ctaid") == i) bits |= 1u << i;
    if (operand->kind == LITMUS_NAME) bits |= *mark_of(m, operand->u.ref.name);
  }
  return bits;
}

static bool is_word(const struct litmus_instr *instr, const char *word) {
  return strcmp(instr->opcode.text, word) == 0;
}

/* Values go from the sources of an instruction to its result, but not through memory. */
static void follow(struct marks *m, const struct litmus_instr *instr, struct text *room) {
  const struct litmus_operand *to = instr->operands;
  if (!to || to->kind != LITMUS_NAME || is_word(instr, "setp")) return;
  bool load = is_word(instr, "ld") || is_word(instr, "ldu"), scalar = false;
  if (load)
    scalar = litmus_has_word(&instr->qualifiers, ".param") && to->next && to->next->kind == LITMUS_BRACKET &&
             to->next->u.ref.name == m->param;
  unsigned bits = load ? (scalar ? (unsigned)SCALAR : 0) : marks_in(m, to->next, room);
  unsigned before = *mark_of(m, to->u.ref.name);
  *mark_of(m, to->u.ref.name) = before | bits;
  m->changed |= (before | bits) != before;
}

/* The axes of the other operands of an instruction, one of which comes from the parameter alone; LOOP: it is compared
 * with something else, such as the count of a loop. */
static unsigned meets_scalar(struct marks *m, const struct litmus_instr *instr, struct text *room) {
  static const char *const meeting[] = {"setp", "mul", "mad", "min", "add", "sub"};
  bool counts = SOME_BELOW(i, ARRAY_LEN(meeting), is_word(instr, meeting[i]));
  unsigned axes = 0;
  bool scalar = false;
  LIST_EACH (o, counts && instr->operands ? instr->operands->next : NULL) {
    struct litmus_operand one = *o;
    one.next = NULL;
    unsigned bits = marks_in(m, &one, room);
    if (bits == SCALAR) scalar = true;
    else axes |= bits & (SCALAR - 1);
  }
  return !scalar ? 0 : axes || !is_word(instr, "setp") ? axes : (unsigned)LOOP;
}

uint32_t usage_axis(struct arena *arena, const struct module_function *kernel, const char *param) {
  struct marks m = {.arena = arena, .param = param, .changed = true};
  struct text room = {.arena = arena};
  unsigned axes = 0;
  for (int round = 0; m.changed && round < ROUNDS; round++) {
    m.changed = false;
    LIST_EACH (item, kernel->items)
      if (item->kind == MODULE_INSTR) follow(&m, item->instr, &room);
  }
  LIST_EACH (item, kernel->items)
    if (item->kind == MODULE_INSTR) axes |= meets_scalar(&m, item->instr, &room);
  return FIND_BELOW(axis, USAGE_NONE, axes >> axis & 1);
}
