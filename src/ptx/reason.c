#include "ptx/reason.h"

#include "ptx/program.h"

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

const char *reason_smaller(struct arena *arena, uint32_t blocks, double share) {
  const uint32_t fewer = (uint32_t)(blocks * share);
  if (share >= 1 || blocks < 2) return "";
  return arena_printf(arena, "; %u block%s may do", fewer ? fewer : 1, fewer > 1 ? "s" : "");
}

const struct reason *reason_of_size(struct arena *arena, enum reason_id id, const char *text,
                                    const struct program *program, double share) {
  uint32_t blocks = program->thread_count > 0; /* that have columns */
  for (uint32_t i = 1; i < program->thread_count; i++)
    blocks += program->threads[i].cta_id != program->threads[i - 1].cta_id;
  const char *smaller = program->test->blocks && blocks * share >= 1 ? reason_smaller(arena, blocks, share) : "";
  return reason_with(arena, id, arena_printf(arena, "%s%s", text, smaller));
}
