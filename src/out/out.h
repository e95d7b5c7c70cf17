/* Prints results: pure functions that add text and have no other effect.
 *
 *   out_text     herd's block (docs/semantics.md T3), for humans and for tools that read herd's logs
 *   out_json     one JSON object on one line (T4)
 *   out_quiet    one line of columns: Test NAME MODEL verdict Observation
 *   out_summary  one sentence, for a terminal
 *
 * All of them allocate only in the text's arena.
 */
#pragma once

#include "base/told.h"
#include "result/result.h"

/* The checks of a result by other solvers. */
struct certificate {
  bool certified;
  const char *problem; /* why the result is not certified; else NULL */
  const char *solver;  /* the second solver, "minisat"; NULL: none */
  const char *prover;  /* the first solver, which made the proofs: "cadical-1.5.3" */
  uint64_t agreed;     /* claims of result.claims that the second solver confirms */
  uint64_t proved;     /* claims whose proof was accepted */
  uint64_t candidates; /* executions that brute force tried; 0: it did not finish */
};

struct fixes;

/* The sources of kernels that are beside their modules, to be quoted. */
struct quoted {
  const char *file; /* as modules name it */
  struct source text;
};

VEC_NAMED(quotes, struct quoted);

/* A result with its test and its model. */
struct finding {
  const struct result *result;
  const char *expected;     /* the test's expectation for this model, "Never"; NULL: it has none */
  bool as_expected;         /* only meaningful with an expectation */
  bool flags_counted;       /* flags were evaluated, but only their number is printed */
  bool flags_checked;       /* the model's flags were evaluated, so that an empty list means that none was raised */
  const struct quotes *quotes;           /* NULL: none */
  const struct fixes *cure;              /* of an unsafe test, looked for by `fix`; NULL: it was not */
  const struct certificate *certificate; /* NULL: not asked for */
  const struct diags *warnings;          /* about the test */
  const char *hash;                      /* of the test's canonical text, 32 hexadecimal digits */
};

void out_text(const struct finding *finding, struct text *out);
/* True if a thread of the test runs a kernel. */
bool out_has_kernel(const struct program *program);
/* True for a question about the safety of a kernel, whose result out_launch prints (base/told.h). */
bool out_is_launch(const struct result *result);
/* Its text has control characters where `style` asks for colours, and no others. */
void out_launch(const struct finding *finding, struct told_style style, struct text *out);
void out_json(const struct finding *finding, struct text *out);
void out_quiet(const struct finding *finding, struct text *out);
void out_summary(const struct finding *finding, struct text *out);

/* For a thread of a kernel: "P0 is thread 5 of block 1, and represents 30 more with the same instructions". */
void out_role(const struct program *program, uint32_t thread, struct text *out);

/* The name of herd's kind of test for a quantifier. */
const char *out_kind(enum litmus_quantifier quantifier);

/* "file:line:col: reason", or the reason alone if no place is known. The result must have a reason. */
void out_reason(const struct result *result, struct text *out);
/* To be called at the start and at the end of a nonempty list of outcomes, where output in pieces is split. */
void out_pass_list(const struct result *result, struct text *out);

/* As instr_print; an initial write (thread == NO_THREAD) is "initial write". */
void out_instr(const struct program *program, uint32_t thread, uint32_t instr, struct text *out);
/* Adds ", iteration 2 of 4, stage 0 of 2", as far as the instruction has them. */
void out_turn(const struct program *program, uint32_t thread, uint32_t instr, struct text *out);
