#include "kernel/expand.h"

void scope_add(struct names_in_scope *scope, const char *name, struct binding binding) {
  uint32_t slot = name_map_get(&scope->slots, name);
  if (slot == NO_NAME) {
    slot = scope->tops.len;
    name_map_put(scope->arena, &scope->slots, name, slot);
    VEC_PUSH(scope->arena, &scope->tops, 0);
  }
  binding.slot = slot;
  binding.shadowed = scope->tops.data[slot];
  VEC_PUSH(scope->arena, &scope->list, binding);
  scope->tops.data[slot] = scope->list.len;
}

const struct binding *scope_find(const struct names_in_scope *scope, const char *name) {
  uint32_t slot = name_map_get(&scope->slots, name);
  if (slot == NO_NAME || !scope->tops.data[slot]) return NULL;
  return &scope->list.data[scope->tops.data[slot] - 1];
}

void scope_leave(struct names_in_scope *scope, uint32_t length) {
  while (scope->list.len > length) {
    const struct binding *last = &scope->list.data[--scope->list.len];
    scope->tops.data[last->slot] = last->shadowed;
  }
}
