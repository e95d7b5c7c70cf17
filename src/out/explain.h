/* Prints explanations as text for humans, and as one JSON object on one line. Pure, as in out.h. */
#pragma once

#include "base/json.h"
#include "chip/judge.h"
#include "explain/races.h"
#include "map/rules.h"
#include "repair/fix.h"

void out_explanation(const struct explanation *explanation, struct text *out);
void out_explanation_json(const struct explanation *explanation, struct text *out);

/* Adds an event's line, with its effect at column `width`. */
void out_event(const struct program *program, const struct explain_event *event, size_t width, struct text *out);
/* The width of the widest label of a list. */
size_t out_event_width(const struct program *program, const struct explain_event *list, uint32_t count,
                       struct arena *arena);

/* A whole execution, one indented line per instruction. */
void out_history(const struct program *program, const struct explain_history *history, unsigned indent,
                 struct text *out);

/* The fixes that fix_find found, at most `most` of them (0: all). */
void out_fixes(const struct fixes *fixes, uint32_t most, struct text *out);
void out_fixes_json(const struct fixes *fixes, uint32_t most, struct text *out);

/* The cheapest of these fixes, or why there is none, as a line below findings; and as a member of their object. */
void out_cure(const struct fixes *fixes, struct text *out);
void put_cure(struct json to, const struct fixes *fixes);

/* The same below a finding, with a heading; NULL: nothing. */
void out_execution(const struct program *program, const struct explain_history *history, struct text *out);
/* Adds a line of a finding, wrapped if it is long; nothing if `words` is NULL. */
void out_point(const char *head, const char *words, struct text *out);

/* Adds a line of a finding about an instruction. */
void out_access(const struct program *program, uint32_t thread, uint32_t instr, struct text *out);

/* The accesses of a race, the missing order and an execution. */
void out_race(const struct program *program, const struct race *race, struct text *out);

/* The stories of a test that is not safe. */
void out_stories(const struct explanation *explanation, struct text *out);

void out_races(const struct races *races, struct text *out);
void out_races_json(const struct races *races, struct text *out);

void out_comparison(const struct comparison *comparison, struct text *out);
void out_comparison_json(const struct comparison *comparison, struct text *out);

/* Adds words, wrapped at 110 columns, with indented continuation lines. `column`: the start of the first line. No
 * newline. */
void out_wrapped(struct text *out, unsigned column, unsigned indent, const char *words);

/* "P0 line 11", or "initial" for an initial write: the name of an event in lists. */
void out_place(const struct program *program, uint32_t thread, uint32_t instr, struct text *out);
/* "P0 line 11  st.weak data, 1" */
const char *out_label(struct arena *arena, const struct program *program, uint32_t thread, uint32_t instr);

/* ---- Prints the outcomes of a test on GPUs, each with the judgement of a model. Pure, as in out.h. */

/* `program` is the test with its filter; the test may have been left out (`judged->seen`). The formats: lines for
 * humans, one per outcome; one JSON object on one line; one line of columns; herd's block with counts, as litmus7
 * writes it. */
typedef void out_observation(const struct program *program, const struct judged *judged, struct text *out);
out_observation out_observed, out_observed_json, out_observed_line, out_observed_log;

/* ---- Prints the result of checking a mapping. */

struct map_report {
  const struct map_ask *ask;
  const struct map_result *result;
  const char *scopes, *placements, *operations; /* as in the request; NULL operations: all */
};

struct map_rules_report {
  const struct map_table *table;
  const struct generate_ask *ask;
  const struct model *model;
  const struct map_rules_result *result;
  const char *scopes, *placements;
  uint32_t wrong; /* rules with a counterexample */
};
void out_rules(const struct map_rules_report *report, struct text *out);
void out_rules_json(const struct map_rules_report *report, struct text *out);

void out_map(const struct map_report *report, struct text *out);
void out_map_json(const struct map_report *report, struct text *out);
