/* On which readings of a model a verdict rests: ptxlit_readings.
 *
 * Most readings either add executions, or undefined ones, or take some away: model_is_stronger tells, or the table of
 * those about programs. Of these a set that changes the result has a part that does so and is all of one kind, and what
 * changes it still does with more of that kind. So nothing is changed by any set when neither all of one kind nor all
 * of the other change it; else smaller ones are looked for. Readings of which this is not known are tried in each
 * combination. A reading is taken to do with others chosen what it does by itself: a model in which one turns the
 * effect of another round would be told wrong. */
#include <stdlib.h>
#include <string.h>

#include "session.h"

enum { MOST_READINGS = 64, MOST_EITHER = 8 };

typedef uint64_t reading_set;

struct comparison_of_readings {
  struct ptxlit *session;
  const struct program *program;
  const char *asked; /* the model's name as it was asked for */
  const struct model *model;
  struct result as_is;
  reading_set kinds[CAT_FEWER + 1]; /* those that are not chosen, by their effect */
  VEC(reading_set) found;           /* smallest sets that change the result, and what it is then */
  VEC(struct result) results;
  VEC(reading_set) tried; /* by smallest_within */
  bool failed;            /* a model could not be read */
};

#define READING(i) ((reading_set)1 << (i))

static const struct model *model_with(struct comparison_of_readings *c, reading_set set) {
  struct text name = {.arena = &c->session->input};
  text_add(&name, c->asked);
  for (uint32_t i = 0; i < c->model->readings.len; i++)
    if (set & READING(i)) text_printf(&name, "+%s", c->model->readings.data[i].name);
  const struct model *model = session_model(c->session, text_str(&name));
  if (!model) c->failed = true;
  return model;
}

static struct result check_under(struct comparison_of_readings *c, const struct model *model) {
  struct check_options options = session_explaining(c->session);
  struct result result = {0};
  options.verdict_only = true;
  arena_poll(&c->session->input);
  check(&c->session->input, c->program, model, &options, &result);
  return result;
}

/* What the result is under these readings too. */
static bool changes(struct comparison_of_readings *c, reading_set set, struct result *result) {
  const struct model *model = set ? model_with(c, set) : c->model;
  if (!model) return false;
  *result = check_under(c, model);
  return result->verdict != c->as_is.verdict || result->observation != c->as_is.observation;
}

/* ---- Kinds ---- */

static bool same_gap(const char *a, const char *b) { return strncmp(a, b, strcspn(a, "=") + 1) == 0; }

/* A reading of a gap of which another is chosen is none to try. */
static bool is_open(const struct model *model, uint32_t reading) {
  for (uint32_t i = 0; i < model->readings.len; i++)
    if (model->readings.data[i].chosen && same_gap(model->readings.data[i].name, model->readings.data[reading].name))
      return false;
  return true;
}

static bool has(const struct program *program, enum program_reading reading) {
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++) {
      const struct instr *in = &program->threads[t].instrs[i];
      switch (reading) {
        case READING_CAS_WRITES:
          if (in->alu == ALU_CAS) return true;
          break;
        case READING_WAITS_FOR_ENDED:
        case READING_LANES_END:
        case READING_SAME_FORM:
          if (in->kind == INSTR_BARRIER) return true;
          break;
        case READING_ISSUER_SIGNALS:
        case READING_ISSUER_ACCESSES:
          if (in->kind == INSTR_ASYNC) return true;
          break;
        case READING_WAITS_FOR_USERS: break; /* what a test is a piece of is no question of reading */
        case READING_SYNTACTIC:
        case READING_TEARS:
        case READING_COUNT: return true;
      }
    }
  return false;
}

/* Whether the program has what a reading about programs is about. Other readings stand before those. */
static bool bears(const struct comparison_of_readings *c, uint32_t reading) {
  uint32_t first = c->model->readings.len - READING_COUNT;
  return reading < first || has(c->program, (enum program_reading)(reading - first));
}

static enum cat_effect effect_of(struct comparison_of_readings *c, uint32_t reading) {
  enum cat_effect effect = c->model->readings.data[reading].effect;
  const struct model *other = effect == CAT_UNKNOWN ? model_with(c, READING(reading)) : NULL;
  if (!other) return effect;
  bool fewer = model_is_stronger(&c->session->input, other, c->model);
  bool more = model_is_stronger(&c->session->input, c->model, other);
  if (fewer == more) return CAT_EITHER; /* not known; or it has none but with others */
  return fewer ? CAT_FEWER : CAT_MORE;
}

static uint32_t size_of(reading_set set) {
  uint32_t size = 0;
  for (; set; set &= set - 1) size++;
  return size;
}

static bool sort_readings(struct comparison_of_readings *c) {
  for (uint32_t i = 0; i < c->model->readings.len && i < MOST_READINGS; i++)
    if (is_open(c->model, i) && bears(c, i)) c->kinds[effect_of(c, i)] |= READING(i);
  return !c->failed && c->model->readings.len <= MOST_READINGS && size_of(c->kinds[CAT_EITHER]) <= MOST_EITHER;
}

/* ---- Smallest sets ---- */

static bool has_found(const struct comparison_of_readings *c, reading_set set) {
  for (uint32_t i = 0; i < c->found.len; i++)
    if ((c->found.data[i] & ~set) == 0) return true;
  return false;
}

static void note(struct comparison_of_readings *c, reading_set set, const struct result *result) {
  VEC_PUSH(&c->session->input, &c->found, set);
  VEC_PUSH(&c->session->input, &c->results, *result);
}

/* Takes out of a set of one kind, which with `base` changes the result, all that it does so without. */
static reading_set shrink(struct comparison_of_readings *c, reading_set base, reading_set set, struct result *result) {
  for (uint32_t i = 0; i < c->model->readings.len; i++) {
    struct result less;
    if (!(set & READING(i)) || !changes(c, base | (set & ~READING(i)), &less)) continue;
    set &= ~READING(i);
    *result = less;
  }
  return set;
}

/* All smallest sets of one kind within `set` that change the result with `base`: one, and those that lack one of its
 * members. */
static void smallest_within(struct comparison_of_readings *c, reading_set base, reading_set set) {
  struct result result;
  for (uint32_t i = 0; i < c->tried.len; i++)
    if (c->tried.data[i] == (base | set)) return;
  VEC_PUSH(&c->session->input, &c->tried, base | set);
  if (c->failed || !changes(c, base | set, &result)) return;
  reading_set smallest = shrink(c, base, set, &result);
  if (!has_found(c, base | smallest)) note(c, base | smallest, &result);
  for (uint32_t i = 0; i < c->model->readings.len; i++)
    if (smallest & READING(i)) smallest_within(c, base, set & ~READING(i));
}

static void try_with(struct comparison_of_readings *c, reading_set base) {
  struct result result;
  if (has_found(c, base)) return;
  if (base && changes(c, base, &result)) {
    note(c, base, &result);
    return;
  }
  smallest_within(c, base, c->kinds[CAT_MORE]);
  smallest_within(c, base, c->kinds[CAT_FEWER]);
}

/* Those whose effect is not known in each combination, smaller ones first. */
static void try_all(struct comparison_of_readings *c) {
  reading_set either = c->kinds[CAT_EITHER];
  for (uint32_t size = 0; size <= size_of(either); size++)
    for (reading_set base = 0;; base = (base - either) & either) {
      if (size_of(base) == size && !c->failed) try_with(c, base);
      if (base == either) break;
    }
}

/* ---- Told ---- */

static void tell_set(const struct comparison_of_readings *c, uint32_t at, struct text *out) {
  const struct result *result = &c->results.data[at];
  uint32_t before = 0;
  if (result->verdict == VERDICT_UNKNOWN) text_add(out, at ? "; not known with " : ", not known with ");
  else text_add(out, at ? "; on " : ", rests on ");
  for (uint32_t i = 0; i < c->model->readings.len; i++)
    if (c->found.data[at] & READING(i))
      text_printf(out, "%s%s", before++ ? " with " : "", c->model->readings.data[i].name);
  if (result->verdict != VERDICT_UNKNOWN)
    text_printf(out, " (%s %s)", verdict_name(result->verdict), observation_name(result->observation));
}

/* Smaller sets first; a set that was found before a part of it was is none of the smallest. */
static void tell(struct comparison_of_readings *c, struct text *out) {
  VEC(reading_set) sets = {0};
  VEC(struct result) results = {0};
  for (uint32_t size = 1; size <= MOST_READINGS; size++)
    for (uint32_t i = 0; i < c->found.len; i++) {
      bool smallest = size_of(c->found.data[i]) == size;
      for (uint32_t k = 0; k < sets.len; k++) smallest = smallest && (sets.data[k] & ~c->found.data[i]) != 0;
      if (!smallest) continue;
      VEC_PUSH(&c->session->input, &sets, c->found.data[i]);
      VEC_PUSH(&c->session->input, &results, c->results.data[i]);
    }
  c->found.data = sets.data;
  c->results.data = results.data;
  c->found.len = sets.len;
  for (uint32_t i = 0; i < c->found.len; i++) tell_set(c, i, out);
  if (!c->found.len) text_add(out, ", whatever the reading");
  text_char(out, '\n');
}

enum ptxlit_status ptxlit_readings(struct ptxlit *session, size_t test, size_t model, const char **text) {
  REQUIRE(test < session->tests.len && model < session->models.len);
  *text = NULL;
  session_begin_work(session, "comparing readings of", test, &session->models.data[model], 1);
  SESSION_WORK_GUARD(session);
  struct text out;
  struct comparison_of_readings c = {.session = session,
                                     .program = session_test(session, test)->program,
                                     .asked = session->models.data[model].asked,
                                     .model = session->models.data[model].model};
  text_init(&out, &session->input);
  c.as_is = check_under(&c, c.model);
  text_printf(&out, "Test %s %s %s %s", c.program->name, c.model->name, verdict_name(c.as_is.verdict),
              observation_name(c.as_is.observation));
  bool can_try = sort_readings(&c);
  if (can_try) try_all(&c);
  if (c.failed) return PTXLIT_BAD_INPUT;
  if (can_try) tell(&c, &out);
  else text_add(&out, "; the model has more readings than can be tried\n");
  *text = text_tame(&out);
  return c.as_is.verdict == VERDICT_UNKNOWN ? PTXLIT_NO_VERDICT : PTXLIT_OK;
}
