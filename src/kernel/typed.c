/* Arrays of bytes by the type of their accesses: a compiler declares every array as .b8, whatever its elements are. A
 * register holds an address of an array where moves and sums make it of the array's name; one that may hold addresses
 * of two says nothing. Control flow is not looked at. */
#include <string.h>

#include "kernel/expand.h"
#include "ptx/isa.h"

enum { OF_NONE = 0, OF_SEVERAL = UINT32_MAX }; /* else the number of a variable and 1 */

struct tracing {
  struct expansion *x;
  struct name_map slots; /* of registers */
  VEC(uint32_t) held;    /* by slot */
  bool changed;
};

static uint32_t join(uint32_t a, uint32_t b) { return a == OF_NONE || a == b ? b : b == OF_NONE ? a : OF_SEVERAL; }

static uint32_t *slot_of(struct tracing *t, const char *name) {
  struct arena *arena = t->x->parse.arena;
  uint32_t slot = name_map_get(&t->slots, name);
  if (slot == NO_NAME) {
    slot = t->held.len;
    name_map_put(arena, &t->slots, name, slot);
    VEC_PUSH(arena, &t->held, OF_NONE);
  }
  return &t->held.data[slot];
}

static uint32_t held_by(struct tracing *t, const struct litmus_operand *operand) {
  if (operand->kind != LITMUS_NAME && operand->kind != LITMUS_BRACKET) return OF_NONE;
  const struct litmus_ref *ref = &operand->u.ref;
  if (ref->percent) return *slot_of(t, ref->name);
  for (uint32_t i = 0; i < t->x->variables.len; i++)
    if (t->x->variables.data[i].name == ref->name) return i + 1;
  return OF_NONE;
}

static bool passes_address(const char *opcode) {
  static const char *const words[] = {"mov", "cvta", "cvt", "add", "sub", "mad", "or", "selp", "mapa"};
  for (size_t i = 0; i < ARRAY_LEN(words); i++)
    if (strcmp(words[i], opcode) == 0) return true;
  return false;
}

static void trace(struct tracing *t, const struct litmus_instr *instr) {
  const struct litmus_operand *to = instr->operands;
  uint32_t holds = OF_NONE;
  if (!to || to->kind != LITMUS_NAME || !to->u.ref.percent || !passes_address(instr->opcode.text)) return;
  for (const struct litmus_operand *o = to->next; o; o = o->next) holds = join(holds, held_by(t, o));
  uint32_t *slot = slot_of(t, to->u.ref.name), before = *slot;
  *slot = join(before, holds);
  t->changed |= *slot != before;
}

/* The operations of mbarrier objects name theirs first or second: `mbarrier.arrive s, [b]`. What also else accesses is
 * no such object. */
static void note_mbarrier(struct tracing *t, const struct litmus_instr *instr) {
  for (const struct litmus_operand *o = instr->operands; o; o = o->next) {
    uint32_t of = o->kind == LITMUS_BRACKET ? held_by(t, o) : OF_NONE;
    if (of != OF_NONE && of != OF_SEVERAL) t->x->variables.data[of - 1].mbarrier = true;
  }
}

/* An access to a known array, or to who knows which of them. */
static void note(struct tracing *t, const struct litmus_instr *instr) {
  const struct litmus_word *type = NULL;
  if (strcmp(instr->opcode.text, "mbarrier") == 0) {
    note_mbarrier(t, instr);
    return;
  }
  for (const struct litmus_word *word = instr->qualifiers.first; word; word = word->next)
    if (isa_type_named(word->text) != PTX_TYPES) type = word;
  for (const struct litmus_operand *o = instr->operands; o; o = o->next) {
    uint32_t of = o->kind == LITMUS_BRACKET ? held_by(t, o) : OF_NONE;
    for (uint32_t i = 0; i < t->x->variables.len; i++) {
      struct used_variable *v = &t->x->variables.data[i];
      if (of != i + 1 && of != OF_SEVERAL) continue;
      if (!type || (v->type && strcmp(v->type->text, type->text) != 0)) v->disagrees = true;
      v->type = type;
    }
  }
}

void kernel_trace_arrays(struct expansion *x, const struct code *code) {
  struct tracing t = {.x = x, .changed = true};
  while (t.changed) {
    t.changed = false;
    for (uint32_t i = 0; i < code->cells.len; i++)
      if (code->cells.data[i].instr) trace(&t, code->cells.data[i].instr);
  }
  for (uint32_t i = 0; i < code->cells.len; i++)
    if (code->cells.data[i].instr) note(&t, code->cells.data[i].instr);
}

static bool is_bytes(const struct litmus_entry *entry) {
  const struct litmus_word *last = entry->qualifiers.last;
  return entry->is_array && last && strcmp(last->text, ".b8") == 0;
}

/* The bytes of initial values put together, the lowest first. */
static struct litmus_value *wider(struct expansion *x, const struct litmus_value *bytes, uint32_t size) {
  struct litmus_value *first = NULL, **end = &first;
  while (bytes) {
    struct litmus_value *value = ARENA_NEW(x->parse.arena, struct litmus_value);
    *value = *bytes;
    value->next = NULL;
    value->number.value = 0;
    value->number.negative = false;
    value->number.text = NULL;
    for (uint32_t i = 0; i < size && bytes; i++, bytes = bytes->next)
      value->number.value |= (bytes->number.value & 0xff) << (8 * i);
    *end = value;
    end = &value->next;
  }
  return first;
}

/* A word of 8 bytes in shared memory that only operations on mbarrier objects touch. */
static void make_mbarrier(struct expansion *x, const struct used_variable *used, struct litmus_entry *entry) {
  struct litmus_word *word = ARENA_NEW(x->parse.arena, struct litmus_word);
  *word = (struct litmus_word){.text = intern(x->parse.names, "mbarrier"), .span = used->variable->span};
  entry->qualifiers = (struct litmus_words){0};
  entry->types = litmus_words_add((struct litmus_words){0}, word);
  entry->is_array = entry->has_count = false;
}

void kernel_type_array(struct expansion *x, const struct used_variable *used, struct litmus_entry *entry) {
  if (used->mbarrier && !used->type && !used->disagrees && !entry->values) {
    make_mbarrier(x, used, entry);
    return;
  }
  if (!is_bytes(entry) || !used->type || used->disagrees) return;
  uint32_t size = type_bytes(isa_type(isa_type_named(used->type->text)));
  for (const struct litmus_value *value = entry->values; value; value = value->next)
    if (value->is_address || value->number.negative) return;
  if (size == 1 || entry->count % size || used->variable->align % size) return;
  struct litmus_word *type = ARENA_NEW(x->parse.arena, struct litmus_word), *word;
  *type = *entry->qualifiers.last;
  type->text = used->type->text;
  type->next = NULL;
  struct litmus_words words = {0};
  for (word = entry->qualifiers.first; word && word != entry->qualifiers.last; word = word->next) {
    struct litmus_word *copy = ARENA_NEW(x->parse.arena, struct litmus_word);
    *copy = *word;
    copy->next = NULL;
    words = litmus_words_add(words, copy);
  }
  entry->qualifiers = litmus_words_add(words, type);
  entry->count /= size;
  entry->values = wider(x, entry->values, size);
}
