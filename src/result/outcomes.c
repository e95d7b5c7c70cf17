#include "result/outcomes.h"

enum { PAGE_ROWS = 64 };

int values_order(const value_t *a, const value_t *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

int outcome_order(const struct program *program, const value_t *a, const value_t *b) {
  return values_order(a, b, program->observed_count);
}

static uint32_t value_size(const struct program *program, uint32_t observable) {
  return (program->observables[observable].type.width + 7u) / 8u;
}

struct outcome outcome_copy(struct arena *arena, const struct program *program, struct outcome outcome) {
  value_t *values = ARENA_ARRAY(arena, value_t, program->observed_count);
  for (uint32_t i = 0; i < program->observed_count; i++) values[i] = outcome.values[i];
  outcome.values = values;
  return outcome;
}

static void begin(struct arena *arena, const struct program *program, struct outcomes *list) {
  list->program = program;
  list->values = ARENA_ARRAY(arena, value_t, program->observed_count);
  list->row_size = 1 + sizeof(uint64_t);
  for (uint32_t i = 0; i < program->observed_count; i++) list->row_size += value_size(program, i);
}

void outcomes_add(struct arena *arena, const struct program *program, struct outcomes *list, struct outcome outcome) {
  if (!list->len) begin(arena, program, list);
  if (list->len % PAGE_ROWS == 0) VEC_PUSH(arena, &list->pages, arena_calloc(arena, PAGE_ROWS, list->row_size));
  unsigned char *to = list->pages.data[list->pages.len - 1] + (size_t)(list->len++ % PAGE_ROWS) * list->row_size;
  list->some[outcome.satisfies] = true;
  *to++ = outcome.satisfies;
  memcpy(to, &outcome.executions, sizeof outcome.executions);
  to += sizeof outcome.executions;
  for (uint32_t i = 0; i < program->observed_count; i++) {
    value_t value = outcome.values[i];
    REQUIRE(!(value & ~value_mask(8 * value_size(program, i))));
    for (uint32_t k = value_size(program, i); k; k--, value >>= 8) *to++ = (unsigned char)value;
  }
}

struct outcome outcomes_at(const struct outcomes *list, uint32_t index) {
  REQUIRE(index < list->len);
  const unsigned char *from = list->pages.data[index / PAGE_ROWS] + (size_t)(index % PAGE_ROWS) * list->row_size;
  struct outcome outcome = {.values = list->values, .satisfies = *from++};
  memcpy(&outcome.executions, from, sizeof outcome.executions);
  from += sizeof outcome.executions;
  for (uint32_t i = 0; i < list->program->observed_count; i++) {
    uint32_t size = value_size(list->program, i);
    value_t value = 0;
    for (uint32_t k = size; k; k--) value = value << 8 | from[k - 1];
    list->values[i] = value;
    from += size;
  }
  return outcome;
}
