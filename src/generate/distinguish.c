/* Finds a smallest test that one of two models forbids and the other allows. */
#include "generate/generate.h"

struct contest {
  struct generate_judge judges[2];
  struct draft *out;
  bool found;
};

static bool found(struct contest *c, const struct draft *draft) {
  *c->out = *draft;
  c->found = true;
  return false;
}

/* A test that is minimal for the first model. */
static bool visit_minimal(void *state, const struct draft *draft) {
  struct contest *c = state;
  return judge_draft(&c->judges[1], draft) != VERDICT_ALLOWED || found(c, draft);
}

static bool visit_any(void *state, const struct draft *draft) {
  struct contest *c = state;
  enum verdict a = judge_draft(&c->judges[0], draft), b = judge_draft(&c->judges[1], draft);
  bool apart = (a == VERDICT_FORBIDDEN && b == VERDICT_ALLOWED) || (a == VERDICT_ALLOWED && b == VERDICT_FORBIDDEN);
  arena_poll(c->judges[0].arena);
  return !apart || found(c, draft);
}

bool generate_distinguish(struct arena *arena, const struct generate_ask *ask, const struct model *a,
                          const struct model *b, bool minimal, const struct check_options *options, struct draft *out,
                          uint32_t *equal) {
  struct generate_ask smaller = *ask;
  struct contest one = {.judges = {judge_new(arena, a, options), judge_new(arena, b, options)}, .out = out};
  struct contest other = {.judges = {one.judges[1], one.judges[0]}, .out = out};
  for (smaller.events = 1; smaller.events <= ask->events; smaller.events++) {
    generate_minimal(arena, &smaller, a, options, visit_minimal, &one);
    if (!one.found) generate_minimal(arena, &smaller, b, options, visit_minimal, &other);
    if (!one.found && !other.found && !minimal) generate_all(&smaller, visit_any, &one);
    if (one.found || other.found) return true;
    *equal = smaller.events;
  }
  return false;
}
