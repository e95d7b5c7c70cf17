/* Changes of a launch as its author makes them. Private to src/repair. */
#pragma once

#include "repair/fix_search.h"

VEC_NAMED(edit_list, struct edit);

/* All copies of an instruction that one line of the source made, or a statement before a line, or both. */
struct proposal {
  struct edit_list edits;
  struct edit_list forms;     /* other strengths of the edits, weakest first; the last one is theirs */
  const char *added, *source; /* the statement, in PTX and in the words of the source; NULL: none */
  const struct kernel_line *line;
  struct kernel_places places, *now; /* of the statement in the module; now: in the trial that is under way */
  uint32_t begin;                    /* of the first instruction in the module; 0: none */
  struct fix_trial judged;           /* alone */
};

VEC_NAMED(proposals, struct proposal);

/* proposals_add: adds an edit to the proposal for its line, or as a new one. proposals_extend: adds an edit, in the
 * order of the module, of an instruction that the proposal lacks. */
struct proposal *proposals_add(struct search_fix *f, struct proposals *all, struct edit edit);
void proposals_extend(struct search_fix *f, struct proposal *c, struct edit edit);
/* In the order of the module. */
void proposals_sort(struct proposals *all);
/* True if one line of the kernel's own file made both instructions, itself or by a function that it calls. */
bool proposals_one_line(const struct instr *a, const struct instr *b);

/* proposals_try_one: offers it if it is a repair. proposals_try_each: each alone, until there are some repairs.
 * proposals_try_orders: so, for changes that only add order: if all together are no repair, none is. Then
 * proposals_try_together: all of those that alone add no other finding, without those that are not needed. */
bool proposals_try_one(struct search_fix *f, struct proposal *c);
void proposals_try_each(struct search_fix *f, struct proposals *all);
void proposals_try_orders(struct search_fix *f, struct proposals *all);
void proposals_try_together(struct search_fix *f, struct proposals *all);

/* Two mistakes need two changes: one that ends the first finding is a step, from which the search goes on. */
struct repair_steps {
  struct proposals taken; /* all trials have these too */
  struct proposals found; /* with these alone the first finding may be gone, and another one left */
};

/* proposals_add_all: the changes of the list as those of the module, in the scratch arena; false: one does not fit. */
bool proposals_add_all(struct search_fix *f, const struct proposals *list, struct kernel_edits *out);
void proposals_keep_places(struct search_fix *f, const struct proposals *list); /* before that arena is released */
struct fix_way proposals_way(struct search_fix *f, const struct proposals *list);

/* steps.c: goes on from the steps found since. kinds.c, proposals_try_singles: all single changes, and such steps. */
void proposals_go_on(struct search_fix *f);
void proposals_try_singles(struct search_fix *f);

/* moves.c: tries moves of an arrival past an access of the finding, of a barrier out of a branch or a circle of waits,
 * and execution by all lanes. proposals_try_near: moves of what orders past instructions near it. */
void proposals_try_moves(struct search_fix *f);
void proposals_try_near(struct search_fix *f);

/* The threads of the first finding, for several pairs those that are the furthest apart; `known`: there are two. */
struct between {
  bool known, of_warp;
  enum scope scope;
};

struct between fix_between(const struct search_fix *f);

/* statements.c: statements before the lines near the finding, or at instructions, which were tried: each alone, then
 * several of one kind; barriers and fences, or waits. statements_barrier: a barrier of this kind before a line. */
VEC_NAMED(statement_lists, struct proposals);

enum statement_places { AT_LINES, AT_INSTRS };

void statements_try(struct search_fix *f, enum statement_places places, bool waits, struct statement_lists *tried);
void statements_try_several(struct search_fix *f, struct statement_lists *tried);
struct proposal statements_barrier(enum barrier_kind kind, const struct kernel_line *line);

/* advice.c: words about the first finding, where no change was found; NULL: none. */
const char *advice_find(const struct search_fix *f);
