#include "ptx/reason.h"

static const struct reason rows[] = {
#define UNDEFINED(id, name, text, section, title, meaning, cure, gaps)                                                 \
  [REASON_##id] = {REASON_##id, REASON_UNDEFINED, name, text, section, title, meaning, cure, {gaps}},
#define OPEN(id, name, text, meaning, cure)                                                                            \
  [REASON_##id] = {REASON_##id, REASON_OPEN, name, text, NULL, NULL, meaning, cure, {0}},
#define UNKNOWN(id, name, text, meaning, cure)                                                                         \
  [REASON_##id] = {REASON_##id, REASON_UNKNOWN, name, text, NULL, NULL, meaning, cure, {0}},
#include "ptx/reasons.def"
};

const struct reason *reason_get(enum reason_id id) {
  REQUIRE(id != NO_REASON && id < ARRAY_LEN(rows));
  return &rows[id];
}

const struct reason *reason_with(struct arena *arena, enum reason_id id, const char *text) {
  struct reason *reason = ARENA_NEW(arena, struct reason);
  *reason = *reason_get(id);
  reason->text = arena_strdup(arena, text);
  return reason;
}
