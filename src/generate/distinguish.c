/* A smallest test that tells two models apart. */
#include "generate/generate.h"
#include "generate/guided.h"
#include <stdio.h>
#include <stdlib.h>

struct contest {
  const struct generate_judge *other;
  struct draft *out;
  bool found;
};

static bool is_allowed(void *state, const struct draft *draft) {
  struct contest *c = state;
  if (judge_draft(c->other, draft) != VERDICT_ALLOWED) return true;
  *c->out = *draft;
  c->found = true;
  return false;
}

/* Among the tests that `forbids` does forbid. */
static bool search(struct arena *arena, const struct generate_ask *ask, const struct model *forbids,
                   const struct model *allows, const struct check_options *options, struct draft *out) {
  const struct generate_judge other = judge_new(arena, allows, options);
  struct contest c = {&other, out, false};
  generate_minimal(arena, ask, forbids, options, is_allowed, &c);
  return c.found;
}

/* ---- Among the minimal ones ---- */

bool generate_distinguish(struct arena *arena, const struct generate_ask *ask, const struct model *a,
                          const struct model *b, const struct check_options *options, struct draft *out) {
  struct generate_ask smaller = *ask;
  struct draft other;
  bool found = search(arena, ask, a, b, options, out);
  if (found) smaller.events = draft_size(out) - 1;
  if (smaller.events == 0 || !search(arena, &smaller, b, a, options, &other)) return found;
  *out = other;
  return true;
}

/* ---- Among all tests ---- */

struct told_apart {
  struct generate_judge judges[2];
  struct draft *out;
  bool found;
};

static bool is_told_the_same(void *state, const struct draft *draft) {
  struct told_apart *c = state;
  enum verdict a = judge_draft(&c->judges[0], draft), b = judge_draft(&c->judges[1], draft);
  bool apart = (a == VERDICT_FORBIDDEN && b == VERDICT_ALLOWED) || (a == VERDICT_ALLOWED && b == VERDICT_FORBIDDEN);
  arena_poll(c->judges[0].arena);
  if (!apart) return true;
  *c->out = *draft;
  c->found = true;
  return false;
}

bool generate_compare(struct arena *arena, const struct generate_ask *ask, const struct model *a, const struct model *b,
                      const struct check_options *options, struct draft *out) {
  if (getenv("GUIDED")) {
    struct generate_judge ja = judge_new(arena, a, options), jb = judge_new(arena, b, options);
    struct guided_count count = {0};
    if (!guided_can(ask, &ja, &jb)) { fprintf(stderr, "cannot\n"); return false; }
    for (uint32_t events = 1; events <= ask->events; events++) {
      double t = base_now();
      bool f = guided_search(arena, ask, events, &ja, &jb, &count, out) || guided_search(arena, ask, events, &jb, &ja, &count, out);
      fprintf(stderr, "events %u: %s, %.2f s, solves %u, counterexamples %u\n", events, f ? "found" : "none", base_now() - t, count.solves, count.counterexamples);
      if (f) return true;
    }
    return false;
  }
  struct told_apart c = {{judge_new(arena, a, options), judge_new(arena, b, options)}, out, false};
  struct generate_ask smaller = *ask;
  bool found = generate_distinguish(arena, ask, a, b, options, out);
  if (found) smaller.events = draft_size(out) - 1;
  generate_all(&smaller, is_told_the_same, &c);
  return found || c.found;
}
