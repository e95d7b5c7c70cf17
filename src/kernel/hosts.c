/* Threads of a host beside kernels: each is run on constants as the threads of kernels are, so that all that looks at
 * the accesses of threads sees those of hosts too, and becomes a column. */

#include "kernel/launch.h"

static struct arena *arena_of(const struct launching *l) { return l->x->parse.arena; }

static const struct object *object_of(const struct launching *l, const struct region *region) {
  return region->object ? &l->init->objects[region->object - 1] : NULL;
}

/* The register that holds the address of a location when the thread begins. */
static const char *give_location(struct launching *l, struct kernel_run *run, const struct region *region) {
  const char *name = kernel_give(l->x, arena_printf(arena_of(l), "$host$%s", region->name));
  for (uint32_t i = 0; i < run->givens.len; i++)
    if (run->givens.data[i].name == name) return name;
  VEC_PUSH(arena_of(l), &run->givens, ((struct given){.name = name, .value = region->base}));
  return name;
}

/* The bits of a whole number as a floating-point value, which a host stores: `x = 1`. */
static value_t float_bits(const struct litmus_number *number, unsigned width) {
  double wide = number->negative ? -(double)(uint64_t)number->value : (double)(uint64_t)number->value;
  float narrow = (float)wide;
  uint32_t low = 0;
  uint64_t all = 0;
  memcpy(&low, &narrow, sizeof low);
  memcpy(&all, &wide, sizeof all);
  return width == 32 ? low : all;
}

/* A host stores constants to a floating-point location, and loads its bits. */
static bool store_float(struct litmus_instr *instr, struct litmus_operand *value, unsigned width) {
  bool constant = value && value->kind == LITMUS_NUMBER && value->u.number.kind == LITMUS_INTEGER;
  if (strcmp(instr->opcode.text, "ld") == 0) return width >= 32;
  if (strcmp(instr->opcode.text, "st") != 0 || !constant || width < 32) return false;
  value->u.number = (struct litmus_number){.value = float_bits(&value->u.number, width), .span = value->span};
  return true;
}

/* The name of a location becomes the register with its address, and the statement gets the type of the location. */
static bool reach(struct launching *l, struct kernel_run *run, struct litmus_instr *instr,
                  struct litmus_operand *operand) {
  struct litmus_ref *ref = &operand->u.ref;
  struct region *region = operand->kind == LITMUS_NAME ? memory_named(&l->memory, ref->name) : NULL;
  const struct object *object = region ? object_of(l, region) : NULL;
  if (!object) return true;
  unsigned width = object->type.width;
  bool updates = strcmp(instr->opcode.text, "atom") == 0, floats = type_is_float(object->type);
  if (region->space != SPACE_GLOBAL || object->is_tensormap || object->is_mbarrier || width > 64 ||
      (updates && width < 32) || (floats && !store_float(instr, operand->next, width)))
    return diag_refuse(l->x->parse.diags, DIAG_WRONG_OPERAND, operand->span,
                       "%s" HINT
                       "beside kernels, a host loads and stores global memory, and updates integers of 32 and 64 bits",
                       floats ? "a host stores only constants to floating-point memory, and loads its bits"
                              : "a host does not access this location like this");
  uint32_t bytes = type_bytes(object->type), index = ref->has_index ? ref->index : 0;
  if (index >= object->count)
    return diag_refuse(l->x->parse.diags, DIAG_WRONG_OPERAND, operand->span, "'%s' has %u element%s", region->name,
                       object->count, object->count == 1 ? "" : "s");
  const char *name = give_location(l, run, region);
  *ref = (struct litmus_ref){.name = name, .percent = true, .offset = (int64_t)index * bytes, .span = ref->span};
  operand->kind = LITMUS_BRACKET;
  bool bits = litmus_has_word(&instr->qualifiers, ".exch") || litmus_has_word(&instr->qualifiers, ".cas");
  bits = bits || floats;
  char kind = bits ? 'b' : object->type.kind == TYPE_SIGNED ? 's' : 'u';
  const char *type = arena_printf(arena_of(l), ".%c%u", kind, 8 * bytes);
  instr->qualifiers = litmus_words_add(instr->qualifiers, litmus_word_of(&l->x->parse, type, instr->opcode.span));
  return true;
}

static bool reach_all(struct launching *l, struct kernel_run *run, struct litmus_instr *instr) {
  if (strcmp(instr->opcode.text, "launch") == 0 || strcmp(instr->opcode.text, "sync") == 0)
    return diag_refuse(l->x->parse.diags, DIAG_WRONG_OPERAND, instr->span,
                       "beside kernels, a host launches no grid" HINT "all kernels of the test run from the start");
  return EVERY(for (struct litmus_operand *operand = instr->operands; operand && !instr->call; operand = operand->next),
               reach(l, run, instr, operand));
}

static const char *const jumps[] = {"beq", "bne", "blt", "ble", "bgt", "bge"};
static const char *const opposites[] = {"bne", "beq", "bge", "bgt", "ble", "blt"};

#define HOST_PREDICATE "when$"

/* A comparison that jumps becomes two instructions, as in kernels: the jump ends a block. */
static void put(struct launching *l, struct code *code, const struct litmus_cell *cell) {
  struct litmus_instr *instr = cell->instr;
  struct litmus_word *labels = cell->labels;
  for (size_t i = 0; i < ARRAY_LEN(jumps) && instr; i++) {
    if (strcmp(jumps[i], instr->opcode.text) != 0) continue;
    struct litmus_operand *a = instr->operands, *label = a->next->next;
    a->next->next = NULL;
    struct litmus_operand *to = litmus_register_of(&l->x->parse, HOST_PREDICATE, instr->span);
    const char *compare = arena_printf(arena_of(l), "setp.%s.s32", jumps[i] + 1);
    struct litmus_instr *sets = litmus_instr_of(&l->x->parse, compare, litmus_before(to, a), instr->span);
    VEC_PUSH(arena_of(l), code, ((struct litmus_cell){.labels = labels, .instr = sets, .span = cell->span}));
    instr = litmus_instr_of(&l->x->parse, "bra", label, instr->span);
    instr->guard = litmus_word_of(&l->x->parse, "%" HOST_PREDICATE, instr->span);
    labels = NULL;
  }
  VEC_PUSH(arena_of(l), code, ((struct litmus_cell){.labels = labels, .instr = instr, .span = cell->span}));
}

struct litmus_instr *host_jump(struct launching *l, struct code *code, struct litmus_instr *jump) {
  struct litmus_cell *last = code->len ? &code->data[code->len - 1] : NULL;
  bool compared = jump->guard && last && last->instr && last->instr->operands && !last->labels &&
                  strcmp(last->instr->opcode.text, "setp") == 0 &&
                  strcmp(last->instr->operands->u.ref.name, HOST_PREDICATE) == 0;
  jump->host = jump->cuda = compared || !jump->guard;
  for (size_t i = 0; i < ARRAY_LEN(jumps) && compared; i++) {
    if (strcmp(last->instr->qualifiers.first->text + 1, jumps[i] + 1) != 0) continue;
    struct litmus_operand *a = last->instr->operands->next, *label = jump->operands;
    a->next->next = label;
    const char *opcode = jump->guard_negated ? opposites[i] : jumps[i];
    jump = litmus_instr_of(&l->x->parse, opcode, a, last->span);
    jump->host = jump->cuda = true;
    code->len--;
    break;
  }
  return jump;
}

/* The element of the location at the address, and no type, as the statement was written. */
void host_restore(const struct launching *l, struct litmus_instr *instr) {
  LIST_EACH (operand, instr->operands) {
    struct litmus_ref *ref = &operand->u.ref;
    if (operand->kind != LITMUS_BRACKET || ref->percent) continue;
    const struct region *region = memory_named(&l->memory, ref->name);
    const struct object *object = region ? object_of(l, region) : NULL;
    uint32_t bytes = object ? type_bytes(object->type) : 0;
    if (!bytes || ref->offset % bytes) continue;
    operand->kind = LITMUS_NAME;
    ref->index = (uint32_t)(ref->offset / bytes);
    ref->has_index = object->count > 1;
    ref->offset = 0;
    if (!type_is_float(object->type)) litmus_words_last(&instr->qualifiers); /* the type */
  }
  instr->host = instr->cuda = instr->cuda || strcmp(instr->opcode.text, "mov") == 0;
}

bool launch_host(struct launching *l, const struct litmus_kernel *host) {
  struct kernel_run *run =
      ARENA_MAKE(arena_of(l), struct kernel_run, .x = l->x, .launch = l, .memory = &l->memory, .kernel = host);
  struct code code = {0};
  l->x->given.len = 0;
  LIST_EACH (row, host->rows) {
    const struct litmus_cell *cell = row->cells;
    if (cell->instr && !reach_all(l, run, cell->instr)) return false;
    put(l, &code, cell);
  }
  if (!body_of_code(l->x, &code, host, &run->body)) return false;
  launch_add(l, run);
  return true;
}
