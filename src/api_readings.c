/* On which readings of a model a verdict rests: ptxlit_readings. */
#include <string.h>

#include "session.h"

enum { MOST_READINGS = 16 };

struct comparison_of_readings {
  struct ptxlit *session;
  const struct program *program;
  const char *asked; /* the model's name as it was asked for */
  const struct model *model;
  struct result as_is;
  uint32_t candidates[MOST_READINGS], count; /* readings that are not chosen */
  VEC(uint32_t) found;                       /* sets of them, as masks */
  struct text *out;
};

static void check_under(struct comparison_of_readings *c, const struct model *model, struct result *result) {
  struct check_options options = session_explaining(c->session);
  *result = (struct result){0};
  options.verdict_only = true;
  check(&c->session->input, c->program, model, &options, result);
}

static const char *reading(const struct comparison_of_readings *c, uint32_t i) {
  return c->model->readings.data[c->candidates[i]].name;
}

static bool same_gap(const char *a, const char *b) {
  size_t length = strcspn(a, "=");
  return length == strcspn(b, "=") && strncmp(a, b, length) == 0;
}

/* Whether two readings of the set, or one and a chosen one, are of one gap. */
static bool contradicts(const struct comparison_of_readings *c, uint32_t set) {
  for (uint32_t i = 0; i < c->count; i++)
    for (uint32_t k = 0; k < c->model->readings.len; k++) {
      const struct cat_reading *other = &c->model->readings.data[k];
      bool in_set = other->chosen;
      for (uint32_t n = 0; n < c->count; n++) in_set = in_set || (set >> n & 1 && c->candidates[n] == k);
      if (set >> i & 1 && c->candidates[i] != k && in_set && same_gap(reading(c, i), other->name)) return true;
    }
  return false;
}

static bool is_settled(const struct comparison_of_readings *c, uint32_t set) {
  for (uint32_t i = 0; i < c->found.len; i++)
    if ((c->found.data[i] & set) == c->found.data[i]) return true;
  return contradicts(c, set);
}

/* What the result is under these readings too. False when such a model cannot be read. */
static bool try_set(struct comparison_of_readings *c, uint32_t set) {
  struct arena *arena = &c->session->input;
  struct text name;
  struct result result;
  text_init(&name, arena);
  text_add(&name, c->asked);
  for (uint32_t i = 0; i < c->count; i++)
    if (set >> i & 1) text_printf(&name, "+%s", reading(c, i));
  const struct model *model = session_model(c->session, text_str(&name));
  if (!model) return false;
  check_under(c, model, &result);
  if (result.verdict == c->as_is.verdict && result.observation == c->as_is.observation) return true;
  text_add(c->out, c->found.len ? "; on " : ", rests on ");
  for (uint32_t i = 0, before = 0; i < c->count; i++)
    if (set >> i & 1) text_printf(c->out, "%s%s", before++ ? " with " : "", reading(c, i));
  text_printf(c->out, " (%s %s)", verdict_name(result.verdict), observation_name(result.observation));
  VEC_PUSH(arena, &c->found, set);
  return true;
}

static uint32_t size_of(uint32_t set) {
  uint32_t size = 0;
  for (; set; set &= set - 1) size++;
  return size;
}

/* Smaller sets first; none that contains one that does. */
static bool try_all(struct comparison_of_readings *c) {
  for (uint32_t size = 1; size <= c->count; size++)
    for (uint32_t set = 1; set < 1u << c->count; set++) {
      if (size_of(set) != size || is_settled(c, set)) continue;
      arena_poll(&c->session->input);
      if (!try_set(c, set)) return false;
    }
  if (!c->found.len) text_add(c->out, c->count ? ", whatever the reading" : "; the model has no other reading");
  return true;
}

enum ptxlit_status ptxlit_readings(struct ptxlit *session, size_t test, size_t model, const char **text) {
  REQUIRE(test < session->tests.len && model < session->models.len);
  *text = NULL;
  session_begin_work(session, "comparing readings of", test, &session->models.data[model], 1);
  SESSION_WORK_GUARD(session);
  struct text out;
  struct comparison_of_readings c = {.session = session,
                                     .program = session->tests.data[test].program,
                                     .asked = session->models.data[model].asked,
                                     .model = session->models.data[model].model,
                                     .out = &out};
  text_init(&out, &session->input);
  for (uint32_t i = 0; i < c.model->readings.len && c.count < MOST_READINGS; i++)
    if (!c.model->readings.data[i].chosen) c.candidates[c.count++] = i;
  check_under(&c, c.model, &c.as_is);
  text_printf(&out, "%s %s %s %s", c.program->name, c.model->name, verdict_name(c.as_is.verdict),
              observation_name(c.as_is.observation));
  if (!try_all(&c)) return PTXLIT_BAD_INPUT;
  text_char(&out, '\n');
  *text = text_str(&out);
  return c.as_is.verdict == VERDICT_UNKNOWN ? PTXLIT_NO_VERDICT : PTXLIT_OK;
}
