
#include "result/result.h"

/* A place of the source: a line of it, or of the text that is checked. */
struct source_spot {
  const char *file;
  uint32_t line;
};

struct place_group {
  struct source_spot a, b;
  struct raised_pair best;
  uint32_t pairs;
  uint64_t apart; /* of the best pair */
  uint32_t far_a, far_b, far;
};

VEC_NAMED(place_groups, struct place_group);

/* Columns of the same text are one place. */
static struct span span_at(const struct program *program, uint32_t thread, uint32_t instr) {
  if (thread == NO_THREAD) return (struct span){0};
  const struct thread *t = &program->threads[thread], *body = t->of_kernel ? t : &program->threads[t->body];
  const struct thread *of = instr < body->instr_count ? body : t;
  return instr < of->instr_count ? of->instrs[instr].span : (struct span){0};
}

static struct source_spot spot_of(struct span span) {
  const struct source_place *near = source_near(span);
  if (near) return (struct source_spot){near->file, near->line};
  return (struct source_spot){span.source ? span.source->name : "", span.begin};
}

static bool is_spot(struct source_spot a, struct source_spot b) {
  return a.line == b.line && strcmp(a.file, b.file) == 0;
}

static uint32_t distance(uint32_t a, uint32_t b) { return a < b ? b - a : a - b; }

/* The order of directness. Compilers unroll loops: then the distance in the text stands for that of iterations. */
static uint64_t apart(const struct program *program, const struct raised_pair *pair) {
  if (pair->thread_a == NO_THREAD || pair->thread_b == NO_THREAD) return UINT64_MAX;
  uint32_t all, turns = distance(instr_turn(program, pair->thread_a, pair->instr_a, &all),
                                 instr_turn(program, pair->thread_b, pair->instr_b, &all));
  bool kernels = program->threads[pair->thread_a].of_kernel && program->threads[pair->thread_b].of_kernel;
  uint32_t text = distance(span_at(program, pair->thread_a, pair->instr_a).begin,
                           span_at(program, pair->thread_b, pair->instr_b).begin);
  if (!kernels) return 0;
  return (uint64_t)turns << 33 | (uint64_t)(pair->a.spawned && pair->b.spawned) << 32 | text;
}

uint32_t groups_far(const struct program *program, uint32_t a, uint32_t b) {
  if (a == NO_THREAD || b == NO_THREAD) return 0;
  const struct thread *x = &program->threads[a], *y = &program->threads[b];
  return x->gpu_id != y->gpu_id           ? 4
         : x->cluster_id != y->cluster_id ? 3
         : x->cta_id != y->cta_id         ? 2
         : x->warp_id != y->warp_id       ? 1
                                          : 0;
}

static void add_pair(struct arena *arena, const struct program *program, struct place_groups *groups,
                     const struct raised_pair *pair) {
  struct place_group own = {.a = spot_of(span_at(program, pair->thread_a, pair->instr_a)),
                            .b = spot_of(span_at(program, pair->thread_b, pair->instr_b)),
                            .best = *pair,
                            .pairs = 1,
                            .apart = apart(program, pair),
                            .far_a = pair->thread_a,
                            .far_b = pair->thread_b,
                            .far = groups_far(program, pair->thread_a, pair->thread_b)};
  VEC_EACH (g, groups) {
    bool same = is_spot(g->a, own.a) && is_spot(g->b, own.b), swapped = is_spot(g->a, own.b) && is_spot(g->b, own.a);
    if (!same && !swapped) continue;
    g->pairs++;
    if (own.apart < g->apart) g->best = own.best, g->apart = own.apart;
    if (own.far > g->far) g->far = own.far, g->far_a = own.far_a, g->far_b = own.far_b;
    return;
  }
  VEC_PUSH(arena, groups, own);
}

static int group_order(const void *a, const void *b) {
  const struct place_group *x = a, *y = b;
  if (x->apart != y->apart) return x->apart < y->apart ? -1 : 1;
  return raised_order(&x->best, &y->best);
}

bool groups_same_finding(const struct result *a, const struct safety_finding *x, const struct result *b,
                         const struct safety_finding *y) {
  const struct source_spot xa = spot_of(span_at(a->program, x->thread_a, x->instr_a)),
                           xb = spot_of(span_at(a->program, x->thread_b, x->instr_b)),
                           ya = spot_of(span_at(b->program, y->thread_a, y->instr_a)),
                           yb = spot_of(span_at(b->program, y->thread_b, y->instr_b));
  bool straight = is_spot(xa, ya) && is_spot(xb, yb), swapped = is_spot(xa, yb) && is_spot(xb, ya);
  bool touch = is_spot(xa, ya) || is_spot(xa, yb) || is_spot(xb, ya), of_one = !x->pairs || !y->pairs;
  return x->kind == y->kind && (straight || swapped || (touch && of_one));
}

/* A race of different sizes is a data race too: one finding, under the clause of data races unless both are strong. */
static bool is_told(struct result *r, const struct safety_finding *new) {
  VEC_EACH (known, &r->findings) {
    if (new->kind != SAFETY_RACE || !groups_same_finding(r, known, r, new)) continue;
    if (!known->a.strong || !known->b.strong) *known = *new;
    return true;
  }
  return false;
}

void groups_add(struct arena *arena, struct result *r, const struct raised *raised, enum safety_kind kind) {
  struct place_groups groups = {0};
  ARRAY_EACH (pair, raised->pairs, raised->pair_count) add_pair(arena, r->program, &groups, pair);
  if (groups.len) qsort(groups.data, groups.len, sizeof *groups.data, group_order);
  VEC_EACH (g, &groups) {
    const struct safety_finding finding = {.kind = kind,
                                           .clause = raised->name,
                                           .thread_a = g->best.thread_a,
                                           .instr_a = g->best.instr_a,
                                           .thread_b = g->best.thread_b,
                                           .instr_b = g->best.instr_b,
                                           .place = r->place,
                                           .pairs = g->pairs,
                                           .a = g->best.a,
                                           .b = g->best.b,
                                           .far_a = g->far_a,
                                           .far_b = g->far_b};
    if (!is_told(r, &finding)) VEC_PUSH(arena, &r->findings, finding);
  }
}
