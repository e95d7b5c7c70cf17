/* Helpers of the JSON printers. Private to src/out. */
#pragma once

#include "explain/races.h"
#include "out/out.h"

/* A new object with format, test, file, line and model. */
struct json json_begin(struct arena *arena, const struct program *program, const char *model);

/* Functions that add members. `source`: the place in the source from which a compiler made the text, if it is known: */
void put_origin(struct json object, struct span span);
/* {thread, line, column, text, source, turn, turns}, with null for the members that an initial write lacks; returns the
 * object: */
struct json put_place(struct json object, const struct program *program, uint32_t thread, uint32_t instr);
/* "at": {file, line, column, quote} of the source of a kernel, or of its module if that is unknown; nothing for a place
 * in the test itself: */
void put_at(struct json place, const struct program *program, struct span span, const struct quotes *quotes);
/* {tid, block, grid, gpu, stands-for} for a thread of a kernel, without the grid and the GPU where there is only one;
 * nothing for other threads: */
void put_role(struct json object, const struct program *program, uint32_t thread);
/* The value of an observable under its name: a number, or its decimal digits if 64 signed bits cannot hold it. */
void put_value(struct json object, const struct observable *observable, value_t value);
/* The same value as text. */
void add_value(const struct observable *observable, value_t value, struct text *out);
/* A list of events under the key, each a place with its effect. */
void put_events(struct json to, const char *key, const struct program *program, const struct explain_event *list,
                uint32_t count);
/* The findings of a test that is not safe. */
void put_stories(struct json object, const struct explanation *explanation);
/* "execution": {interleaving, steps, more, orders, state}, or null. */
void put_history(struct json object, const struct program *program, const struct explain_history *history);
/* "not-ordered": the missing links between the accesses of a race (NULL: none). */
void put_not_ordered(struct json object, const struct race *race, bool without_cure);
/* The members of an explanation. */
void put_explanation(struct json object, const struct explanation *explanation);
/* The checks by other solvers; members of a check that did not take place are 0 or null. */
void put_certificate(struct json to, const struct result *result, const struct certificate *c);

/* The accesses that a finding is about, two at most; returns their number. */
struct found_access {
  uint32_t thread, instr;
  struct raised_access access;
};
uint32_t out_places(const struct program *program, const struct safety_finding *f, struct found_access places[2]);
bool out_same_access(const struct found_access *a, const struct found_access *b);
