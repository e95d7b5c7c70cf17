/* The leaves that the value of a term really depends on, and conditions that never hold.
 *
 * It depends on a leaf if, with all other leaves fixed, it changes with the value of the leaf, over all values of its
 * width (docs/semantics.md P10). Mention is not enough: `r - r` and `(r & 1) >> 1` depend on nothing. Values are tried
 * first; if none makes a difference, CaDiCaL decides if two copies of the term that differ in the leaf alone are
 * equivalent. */
#pragma once

#include "base/bits.h"
#include "term/term.h"

/* Replaces each of the (distinct) terms by an equal one without the leaves TERM_READ, _REDUCE or _LANE on which it does
 * not depend. A leaf stays, and sets `undecided`, if the question is too hard for the solver (`effort`: conflicts for
 * one question) or has no circuit (floating-point numbers). The answer is the same in every run. Pass all terms in one
 * call, because a value that decides one of them often decides others. */
void term_reduce(struct terms *terms, term_id *list, uint32_t count, int effort, bool *undecided);

/* True if a condition holds for no values of its leaves. Also false if this is too hard for the solver. */
bool term_never_holds(struct terms *terms, term_id condition, int effort);

/* Adds the numbers of the events whose TERM_READ, _REDUCE or _LANE leaves the term mentions. */
void term_mentions(const struct terms *terms, term_id term, struct bitset events);
