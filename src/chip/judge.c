#include "chip/judge.h"

/* Reads a decimal number, or a hexadecimal one after 0x; either may have a minus sign. */
static bool read_value(const char **at, value_t *value) {
  const char *from = *at;
  bool negative = *from == '-', any = false;
  from += negative;
  unsigned base = from[0] == '0' && from[1] == 'x' ? 16 : 10;
  if (base == 16) from += 2;
  for (*value = 0;; from++, any = true) {
    unsigned digit = *from >= '0' && *from <= '9'   ? (unsigned)(*from - '0')
                     : *from >= 'a' && *from <= 'f' ? (unsigned)(*from - 'a') + 10
                                                    : base;
    if (digit >= base) break;
    *value = *value * base + digit;
  }
  if (negative) *value = -*value;
  *at = from;
  return any;
}

static uint32_t find_observed(const struct program *program, const char *name, size_t length) {
  uint32_t i = 0;
  while (i < program->observed_count &&
         (strncmp(program->observables[i].name, name, length) != 0 || program->observables[i].name[length] != '\0'))
    i++;
  return i;
}

/* Reads the values of the observed observables from a state, which may list others too. False if one is missing. */
static bool read_state(const struct program *program, const char *state, value_t *values) {
  uint32_t found = 0;
  for (const char *at = state; *at; at += *at == ' ') {
    size_t length = strcspn(at, "=");
    uint32_t index = find_observed(program, at, length);
    value_t value;
    at += length;
    if (*at++ != '=' || !read_value(&at, &value) || *at++ != ';') return false;
    if (index == program->observed_count) continue;
    values[index] = value & value_mask(program->observables[index].type.width);
    found++;
  }
  return found == program->observed_count;
}

bool judge_met(struct arena *arena, const struct program *program, const struct seen_test *seen, bool satisfies,
               uint64_t *count) {
  value_t *values = ARENA_ARRAY(arena, value_t, program->observed_count);
  *count = 0;
  for (uint32_t i = 0; i < seen->outcomes.len; i++) {
    if (!read_state(program, seen->outcomes.data[i].state, values)) return false;
    bool passes = !program->filter || cond_holds(program, program->filter, values);
    if (passes && cond_holds(program, program->condition, values) == satisfies) *count += seen->outcomes.data[i].count;
  }
  return true;
}

const char *judge_phrase(struct arena *arena, const struct seen_test *seen, uint64_t count) {
  struct text out = {.arena = arena};
  if (count) text_printf(&out, "seen %llu time%s", (unsigned long long)count, count == 1 ? "" : "s");
  else text_add(&out, "never seen");
  text_printf(&out, " in %.2g runs", (double)seen->runs);
  for (uint32_t i = 0; i < seen->machines.len; i++) {
    bool again = SOME_BELOW(j, i, strcmp(seen->machines.data[j].device, seen->machines.data[i].device) == 0);
    if (!again) text_printf(&out, "%s%s", i ? ", " : " on ", seen->machines.data[i].device);
  }
  return text_str(&out);
}

static bool is_outcome(const struct result *result, const value_t *values) {
  const struct outcomes *all = &result->outcomes; /* they are sorted */
  uint32_t at;
  FIRST_NOT(at, all->len, outcome_order(result->program, outcomes_at(all, at).values, values) < 0);
  return at < all->len && outcome_order(result->program, outcomes_at(all, at).values, values) == 0;
}

/* The judgement of an outcome that the model's result does not list. */
static enum judgement missing(const struct result *result) {
  if (result->verdict == VERDICT_UNDEFINED) return JUDGED_UNDEFINED;
  bool bounded = result->bounded && !result->bound_settled;
  return result->verdict == VERDICT_UNKNOWN || !result->complete || bounded ? JUDGED_OPEN : JUDGED_FORBIDDEN;
}

static struct judged_outcome judge_outcome(struct arena *arena, const struct program *program,
                                           const struct result *result, const char *state) {
  struct judged_outcome out = {.judgement = JUDGED_STRANGE};
  value_t *values = ARENA_ARRAY(arena, value_t, program->observed_count);
  if (!read_state(program, state, values)) return out;
  out.judgement = is_outcome(result, values) ? JUDGED_ALLOWED : missing(result);
  bool passes = !program->filter || cond_holds(program, program->filter, values);
  out.satisfies = passes && cond_holds(program, program->condition, values);
  return out;
}

static uint32_t never_seen(struct arena *arena, const struct result *result, const struct seen_test *seen) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < result->outcomes.len; i++) {
    struct text state = {.arena = arena};
    state_print(result->program, outcomes_at(&result->outcomes, i).values, " ", ";", false, &state);
    count += seen_count(seen, text_str(&state)) == 0;
  }
  return count;
}

void judge_seen(struct arena *arena, const struct program *program, const struct result *result,
                const struct seen_test *seen, struct judged *judged) {
  *judged = (struct judged){.seen = seen, .result = result};
  judged->outcomes = ARENA_ARRAY(arena, struct judged_outcome, seen->outcomes.len);
  for (uint32_t i = 0; i < seen->outcomes.len; i++) {
    struct judged_outcome outcome = judge_outcome(arena, program, result, seen->outcomes.data[i].state);
    uint64_t count = seen->outcomes.data[i].count;
    judged->outcomes[i] = outcome;
    if (outcome.judgement == JUDGED_FORBIDDEN || outcome.judgement == JUDGED_STRANGE) judged->forbidden += count;
    if (outcome.judgement == JUDGED_OPEN) judged->open++;
    if (outcome.satisfies) judged->met += count;
  }
  judged->never_count = never_seen(arena, result, seen);
  enum judgement other = missing(result);
  judged->hangs = result->deadlock.found ? JUDGED_ALLOWED : other;
  judged->faults = judged->hangs; /* the driver may also kill a thread that waits for ever */
}

bool judged_contradicts(const struct judged *judged) {
  bool hangs = judged->seen->hangs && judged->hangs == JUDGED_FORBIDDEN;
  bool faults = judged->seen->faults && judged->faults == JUDGED_FORBIDDEN;
  return judged->forbidden || hangs || faults;
}
