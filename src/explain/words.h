/* Words for events, and for the judgement of pairs of events by the rules of chapter 8. For src/explain and src/draw.
 *
 * The judgements follow the text of the rules (docs/semantics.md M1, M3), not a model: they name the condition that
 * fails. Instructions are quoted as the test has them.
 */
#pragma once

#include "exec/execution.h"

/* The instruction as written in the test, on one line (instr_print). */
const char *words_instr(struct arena *arena, const struct program *program, uint32_t thread, uint32_t instr);

/* 'st.weak data, 1'; "the initial value of data". */
const char *words_event(struct arena *arena, const struct execution *execution, uint32_t event);

/* "P0 line 11"; "the initial state" */
const char *words_place(struct arena *arena, const struct program *program, uint32_t thread, uint32_t instr);

/* "P1" */
const char *words_thread(struct arena *arena, const struct program *program, uint32_t thread);

/* "data", "a[1]", "cta0:z"; through an alias "y (x)". "" for a fence, "?" if the place is unknown. */
const char *words_location(struct arena *arena, const struct execution *execution, uint32_t event);

/* The same for a byte of physical memory; "" for NO_PHYS. */
const char *words_object(struct arena *arena, const struct program *program, uint32_t phys);

/* "writes data=1", "reads flag=1", "arrives at barrier 0, phase 2"; "" for fences. */
const char *words_effect(struct arena *arena, const struct execution *execution, uint32_t event);

/* The title of a section of the PTX ISA, "" if it is not in the table. */
const char *words_section_title(const char *section);

/* True if two events are morally strong (8.7), and if not, the first condition that fails: "'st.weak x, 1' is weak". */
bool words_morally_strong(struct arena *arena, const struct execution *execution, uint32_t a, uint32_t b,
                          const char **why_not);

/* The reason: "both strong, and .gpu and .cta each contain the other's thread". */
const char *words_why_strong(struct arena *arena, const struct execution *execution, uint32_t a, uint32_t b);

/* The substitute for an access through a proxy for which the test's language has no fence. */
const char *words_other_proxy(enum proxy proxy);

/* The narrowest scope that contains both threads. */
enum scope words_common_scope(const struct program *program, uint32_t a, uint32_t b);
