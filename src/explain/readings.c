/* Finds the smallest sets of readings that change a result. Most readings either add executions, or undefined ones, or
 * remove some (model_effect). A set of such readings that changes the result has a subset of one kind that changes it,
 * and so does each larger set of that kind. So if neither all readings of one kind nor all of the other change the
 * result, no set does. Readings of unknown effect are tried in each combination. Assumption: no reading reverses the
 * effect of another. */
#include "explain/readings.h"

#include "ptx/alu.h"

/* WORK_FOR_GAPS: the limit of work for one check in an explanation. */
enum { MOST_EITHER = 8, WORK_FOR_GAPS = 3000 };

struct comparison_of_readings {
  struct arena *arena;
  const struct result *as_is;
  const struct check_options *options;
  double deadline;
  bool for_gaps;
  reading_set kinds[CAT_FEWER + 1]; /* the readings that are not chosen, by their effect */
  struct readings *out;
  VEC(reading_set) tried; /* by smallest_within */
};

#define READING(i) ((reading_set)1 << (i))

static const struct model *asked(const struct comparison_of_readings *c) { return c->as_is->model; }

/* Checks the program under these readings; true if the result differs. Frees the memory of a result that does not. */
static bool changes(struct comparison_of_readings *c, reading_set set, struct result *result) {
  struct check_options options = *c->options;
  struct arena_mark before = arena_mark(c->arena);
  options.verdict_only = true;
  options.timeout = base_left(c->deadline);
  options.work = c->for_gaps ? WORK_FOR_GAPS : 0;
  arena_poll(c->arena);
  check(c->arena, c->as_is->program, model_choosing(c->arena, asked(c), set), &options, result);
  bool other = result->verdict != c->as_is->verdict || (!c->for_gaps && result->observation != c->as_is->observation);
  if (!other) arena_rewind(c->arena, before);
  return other;
}

/* ---- Kinds ---- */

static bool same_gap(const char *a, const char *b) {
  size_t length = strcspn(a, "=");
  return length == strcspn(b, "=") && strncmp(a, b, length) == 0;
}

/* False for a reading of a gap for which the model already chooses another. */
static bool is_open(const struct model *model, uint32_t reading) {
  return !SOME(VEC_EACH (other, &model->readings),
               other->chosen && same_gap(other->name, model->readings.data[reading].name));
}

static bool has_other_cta(const struct program *program, uint32_t thread) {
  return SOME_BELOW(t, program->thread_count, program->threads[t].cta_id != program->threads[thread].cta_id);
}

static bool shares_warp(const struct program *program, uint32_t thread) {
  return SOME_BELOW(t, program->thread_count,
                    t != thread && program->threads[t].warp_id == program->threads[thread].warp_id);
}

static bool has(const struct program *program, enum program_reading reading) {
  for (uint32_t t = 0; t < program->thread_count; t++)
    ARRAY_EACH (in, program->threads[t].instrs, program->threads[t].instr_count) {
      switch (reading) {
        case READING_CAS_WRITES:
          if (in->alu == ALU_CAS) return true;
          break;
        case READING_WAITS_FOR_ENDED:
        case READING_SAME_FORM:
          if (in->kind == INSTR_BARRIER) return true;
          break;
        case READING_EVERY_LANE:
          if (in->kind == INSTR_BARRIER && in->barrier->aligned && shares_warp(program, t)) return true;
          break;
        case READING_WAITS_FOR_LANES:
          if (in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_WARP) return true;
          break;
        case READING_OVERTAKEN:
          if (in->kind == INSTR_ASYNC && in->async->action == ASYNC_ARRIVE) return true;
          break;
        case READING_ISSUER_SIGNALS:
        case READING_ISSUER_ACCESSES:
          if (in->kind == INSTR_ASYNC && has_other_cta(program, t)) return true;
          break;
        case READING_WAITS_FOR_USERS: break; /* no reading decides the program that a test is a piece of */
        case READING_SYNTACTIC:
        case READING_TEARS:
        case READING_COUNT: return true;
      }
    }
  return false;
}

/* True if a reading concerns the program. Readings about programs are last in the list. */
static bool bears(const struct comparison_of_readings *c, uint32_t reading) {
  uint32_t first = asked(c)->readings.len - READING_COUNT;
  return reading < first || has(c->as_is->program, (enum program_reading)(reading - first));
}

static uint32_t size_of(reading_set set) {
  uint32_t size = 0;
  for (; set; set &= set - 1) size++;
  return size;
}

static void sort_readings(struct comparison_of_readings *c) {
  for (uint32_t i = 0; i < asked(c)->readings.len; i++)
    if ((!c->for_gaps || asked(c)->readings.data[i].name[0] == 'G') && is_open(asked(c), i) && bears(c, i))
      c->kinds[model_effect(c->arena, asked(c), i)] |= READING(i);
}

/* ---- Smallest sets ---- */

/* A subset that is known to change the result, or 0. */
static reading_set found_within(const struct comparison_of_readings *c, reading_set set) {
  for (uint32_t i = 0; i < c->out->sets.len; i++)
    if ((c->out->sets.data[i].set & ~set) == 0) return c->out->sets.data[i].set;
  return 0;
}

static void note(struct comparison_of_readings *c, reading_set set, const struct result *result) {
  VEC_PUSH(c->arena, &c->out->sets, ((struct decisive_readings){set, *result}));
}

/* The first `count` members of a set, or all. */
static reading_set first_of(reading_set set, uint32_t count) {
  reading_set rest = set;
  for (; rest && count; count--) rest &= rest - 1;
  return set & ~rest;
}

/* Removes readings from a set of one kind while the set and `base` change the result: first many at a time, then single
 * ones. */
static reading_set shrink(struct comparison_of_readings *c, reading_set base, reading_set set, struct result *result) {
  for (uint32_t step = (size_of(set) + 1) / 2; step && size_of(set) > 1; step = step > 1 ? (step + 1) / 2 : 0)
    for (reading_set left = set; left;) {
      struct result less;
      reading_set part = first_of(left, step);
      left &= ~part;
      if (part == set || !changes(c, base | (set & ~part), &less)) continue;
      set &= ~part;
      *result = less;
    }
  return set;
}

/* Finds all minimal subsets of `set`, which is of one kind, that change the result together with `base`: one, which may
 * be known already, then those that lack one of its members. */
static void smallest_within(struct comparison_of_readings *c, reading_set base, reading_set set) {
  struct result result;
  for (uint32_t i = 0; !set || i < c->tried.len; i++)
    if (!set || c->tried.data[i] == (base | set)) return;
  VEC_PUSH(c->arena, &c->tried, base | set);
  reading_set smallest = found_within(c, base | set);
  if (!smallest) {
    if (!changes(c, base | set, &result)) return;
    smallest = shrink(c, base, set, &result);
    note(c, base | smallest, &result);
  }
  for (uint32_t i = 0; i < asked(c)->readings.len; i++)
    if (smallest & set & READING(i)) smallest_within(c, base, set & ~READING(i));
}

static void try_with(struct comparison_of_readings *c, reading_set base) {
  struct result result;
  if (found_within(c, base)) return;
  if (base && changes(c, base, &result)) {
    note(c, base, &result);
    return;
  }
  smallest_within(c, base, c->kinds[CAT_MORE]);
  smallest_within(c, base, c->kinds[CAT_FEWER]);
}

/* Tries readings of unknown effect in each combination, smaller ones first; for an explanation one by one. */
static void try_all(struct comparison_of_readings *c) {
  reading_set either = c->kinds[CAT_EITHER];
  uint32_t most = c->for_gaps && either ? 1 : size_of(either);
  for (uint32_t size = 0; size <= most; size++)
    for (reading_set base = 0;; base = (base - either) & either) {
      if (size_of(base) == size) try_with(c, base);
      if (base == either) break;
    }
}

/* True if a subset is in the list: a set found before its subset is not minimal. */
static bool has_part(const struct readings *out, reading_set set) {
  return SOME(VEC_EACH (other, &out->sets), other->set != set && !(other->set & ~set));
}

static bool is_smaller(const struct decisive_readings *a, const struct decisive_readings *b) {
  return size_of(a->set) < size_of(b->set);
}

void readings_find(struct arena *arena, const struct check_options *options, double deadline,
                   const struct result *result, bool for_gaps, struct readings *out) {
  struct comparison_of_readings c = {
      .arena = arena, .as_is = result, .options = options, .deadline = deadline, .for_gaps = for_gaps, .out = out};
  *out = (struct readings){.too_many = result->model->readings.len > MODEL_MOST_READINGS};
  if (!out->too_many) sort_readings(&c);
  out->too_many = out->too_many || size_of(c.kinds[CAT_EITHER]) > MOST_EITHER;
  if (out->too_many) return;
  try_all(&c);
  VEC_KEEP(found, &out->sets, !has_part(out, found->set));
  VEC_SORT(&out->sets, is_smaller);
}
