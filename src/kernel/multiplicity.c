/* Makes a column arrive at mbarrier objects, and signal them, as often as the threads that it represents would
 * (docs/semantics.md K5). */

#include "kernel/columns.h"

struct multiplying {
  struct launching *launch;
  uint32_t times;           /* the number of threads that the column represents, itself included */
  VEC(struct remnant) code; /* of the present block, rewritten */
};

static const char EXPECT[] = "mbarrier.expect_tx.relaxed.cta.shared::cta.b64";
static const char COMPLETE[] = "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64";
static const char ARRIVE[] = "mbarrier.arrive.shared::cta.b64";

static struct litmus_operand *bracket_at(const struct litmus_instr *instr, uint32_t index) {
  for (struct litmus_operand *operand = instr->operands; operand; operand = operand->next)
    if (operand->kind == LITMUS_BRACKET && index-- == 0) return operand;
  return NULL;
}

/* Adds an operation on an object beside an instruction. */
static void put_operation(struct multiplying *m, const struct remnant *beside, const struct litmus_operand *object,
                          const char *operation, value_t number) {
  struct litmus_parse *parse = &m->launch->x->parse;
  struct remnant remnant = *beside;
  struct litmus_operand *place = ARENA_COPY(parse->arena, object);
  place->next = litmus_number_of(parse, number, beside->instr->span);
  if (operation == ARRIVE) place = litmus_before(remnant_sink(parse, beside->instr->span), place);
  remnant.instr = litmus_instr_of(parse, operation, place, beside->instr->span);
  remnant.instr->opcode.span = beside->instr->opcode.span;
  remnant.touches = 0;
  VEC_PUSH(parse->arena, &m->code, remnant);
}

static void drop_word(struct litmus_instr *instr, const char *text) {
  struct litmus_words words = {0};
  for (struct litmus_word *word = instr->qualifiers.first, *next; word; word = next) {
    next = word->next;
    word->next = NULL;
    if (strcmp(word->text, text) != 0) words = litmus_words_add(words, word);
  }
  instr->qualifiers = words;
}

/* Multiplies the count after an object; without one it is 1. */
static void multiply_count(const struct multiplying *m, struct litmus_operand *object) {
  struct litmus_operand *count = object->next;
  if (!count) count = object->next = litmus_number_of(&m->launch->x->parse, 1, object->span);
  if (count->kind == LITMUS_NUMBER) count->u.number.value *= m->times;
}

/* An arrival that also expects bytes becomes two operations: both numbers are multiplied. */
static void multiply_operation(struct multiplying *m, struct remnant *remnant) {
  const struct litmus_words *words = &remnant->instr->qualifiers;
  struct litmus_operand *object = bracket_at(remnant->instr, 0);
  bool arrives = litmus_has_word(words, ".arrive") || litmus_has_word(words, ".arrive_drop");
  bool expects = litmus_has_word(words, ".expect_tx"), completes = litmus_has_word(words, ".complete_tx");
  if (!object || !(arrives || expects || completes)) return;
  if (arrives && expects && object->next && object->next->kind == LITMUS_NUMBER) {
    put_operation(m, remnant, object, EXPECT, object->next->u.number.value * m->times);
    object->next = NULL;
    drop_word(remnant->instr, ".expect_tx");
  }
  multiply_count(m, object);
}

/* The bytes that a bulk copy signals. False: they are unknown. */
static bool copied_bytes(const struct multiplying *m, const struct litmus_instr *instr, bool tensor, value_t *bytes) {
  const struct litmus_entry *map = tensor ? tensor_map_of(m->launch->x, instr->operands->next) : NULL;
  const struct litmus_operand *size = tensor ? NULL : bracket_at(instr, 1)->next;
  if (map) *bytes = tensor_copy_bytes(map->map, instr);
  if (size && size->kind == LITMUS_NUMBER) *bytes = size->u.number.value;
  return map || (size && size->kind == LITMUS_NUMBER);
}

/* Adds the signals of the represented threads' copies and asynchronous arrivals. */
static void add_copies(struct multiplying *m, const struct remnant *remnant) {
  const struct litmus_words *words = &remnant->instr->qualifiers;
  const struct litmus_operand *to = remnant->instr->operands;
  bool tensor = to && to->next && to->next->kind == LITMUS_TENSOR;
  const struct litmus_operand *object = bracket_at(remnant->instr, tensor ? 1 : 2);
  value_t bytes;
  if (litmus_has_word(words, ".arrive")) {
    if (litmus_has_word(words, ".noinc"))
      put_operation(m, remnant, bracket_at(remnant->instr, 0), ARRIVE, m->times - 1);
  } else if (litmus_has_word(words, ".bulk") && object && copied_bytes(m, remnant->instr, tensor, &bytes)) {
    put_operation(m, remnant, object, COMPLETE, bytes * (m->times - 1));
  }
}

/* Adds the signals of the represented threads' st.async and red.async. */
static void add_stores(struct multiplying *m, const struct remnant *remnant, const struct instr *in) {
  const struct litmus_operand *object = bracket_at(remnant->instr, 1);
  bool signals = in->kind == INSTR_ASYNC && in->async->action == ASYNC_STORE && in->async->has_object;
  value_t bytes = (value_t)type_bytes(in->type) * in->elements;
  if (signals && object) put_operation(m, remnant, object, COMPLETE, bytes * (m->times - 1));
}

static void multiply_block(struct multiplying *m, const struct runner *r, struct block *b) {
  memset(&m->code, 0, sizeof m->code);
  VEC_EACH (remnant, &b->code) {
    const char *opcode = remnant->instr ? remnant->instr->opcode.text : "";
    const struct instr *in = remnant->instr ? remnant_source(r, remnant) : NULL;
    if (strcmp(opcode, "mbarrier") == 0) multiply_operation(m, remnant);
    VEC_PUSH(m->launch->memory.arena, &m->code, *remnant);
    if (strcmp(opcode, "cp") == 0) add_copies(m, remnant);
    if (in) add_stores(m, remnant, in);
  }
  memcpy(&b->code, &m->code, sizeof m->code);
}

void multiplicity_set(struct launching *l) {
  EACH_COLUMN (r, l) {
    struct multiplying m = {.launch = l, .times = r->represents + 1};
    if (!r->run->kernel->grouped || !r->represents) continue;
    VEC_EACH (b, &r->blocks) multiply_block(&m, r, b);
  }
}
