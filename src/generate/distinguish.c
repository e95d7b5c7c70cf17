/* Finds a smallest test that one of two models forbids and the other allows. */
#include "generate/generate.h"
#include "generate/guided.h"
#include "generate/shape.h"

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

/* Searches the tests that `forbids` forbids for one that the other model allows. */
static bool search(struct arena *arena, const struct generate_ask *ask, const struct model *forbids,
                   const struct model *allows, const struct check_options *options, struct draft *out) {
  const struct generate_judge other = judge_new(arena, allows, options);
  struct contest c = {&other, out, false};
  generate_minimal(arena, ask, forbids, options, is_allowed, &c);
  return c.found;
}

/* ---- By a formula ---- */

bool generate_can_solve(struct arena *arena, const struct generate_ask *ask, const struct model *a,
                        const struct model *b) {
  return shape_can(ask) && quick_new(arena, a) && quick_new(arena, b);
}

struct rivals {
  const struct generate_ask *ask;
  struct generate_judge allows, forbids;
};

static bool are_told_apart(void *state, const struct draft *d) {
  const struct rivals *r = state;
  return generate_is_sensible(d, false) && generate_places_matter(d, r->ask->wide ? 0 : r->ask->scopes) &&
         !draft_interleaves(d) && judge_draft(&r->forbids, d) == VERDICT_FORBIDDEN &&
         judge_draft(&r->allows, d) == VERDICT_ALLOWED;
}

static void weaken(struct rivals *r, struct draft *d) {
  generate_weaken(r->ask, d, are_told_apart, r);
  DRAFT_EACH (e, d) {
    uint8_t was = e->dep;
    e->dep = DRAFT_NO_DEP;
    if (was != DRAFT_NO_DEP && !are_told_apart(r, d)) e->dep = was;
  }
}

static bool solve(struct arena *arena, struct rivals *r, uint32_t events, struct draft *out) {
  struct guided_count count = {0};
  if (model_is_stronger(arena, r->allows.model, r->forbids.model)) return false;
  if (!guided_search(arena, r->ask, events, &r->allows, &r->forbids, &count, out)) return false;
  weaken(r, out);
  return true;
}

bool generate_solve(struct arena *arena, const struct generate_ask *ask, const struct model *a, const struct model *b,
                    const struct check_options *options, struct draft *out, uint32_t *equal) {
  struct rivals one = {ask, judge_new(arena, a, options), judge_new(arena, b, options)};
  struct rivals other = {ask, one.forbids, one.allows};
  for (uint32_t events = 1; events <= ask->events; events++) {
    if (solve(arena, &one, events, out) || solve(arena, &other, events, out)) return true;
    *equal = events;
  }
  return false;
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
  struct told_apart c = {{judge_new(arena, a, options), judge_new(arena, b, options)}, out, false};
  struct generate_ask smaller = *ask;
  bool found = generate_distinguish(arena, ask, a, b, options, out);
  if (found) smaller.events = draft_size(out) - 1;
  generate_all(&smaller, is_told_the_same, &c);
  return found || c.found;
}
