/* The possible values of a term: sets that only grow. In an empty set no value is known to be possible yet; top is any
 * value. Private to src/exec. */
#pragma once

#include "exec/skeleton.h"

/* Each of these functions is true if the set changed. A set that would get more values than `limit` becomes top; of
 * calls for one set, the first has the largest limit. */
bool value_set_top(struct value_set *set);
bool value_set_add(struct arena *arena, struct value_set *set, value_t value, uint32_t limit);
bool value_set_join(struct arena *arena, struct value_set *to, const struct value_set *from, uint32_t limit);

/* A function of three values. */
typedef value_t value_function(const void *context, const value_t values[3]);

/* Adds the results for all combinations of the operands' values: none if an operand has no value, else top if one is
 * top or there are too many combinations. */
bool value_set_combine(struct arena *arena, struct value_set *set, const struct value_set *const operands[3],
                       value_function *function, const void *context, uint32_t limit);

/* The same for an operator of a term; sets[id] of all terms. A condition may always be true or false, whatever its
 * operands are. */
bool value_set_evaluate(struct arena *arena, const struct terms *terms, struct value_set *sets, term_id id,
                        uint32_t limit);

/* The third operand of an operation that takes fewer. */
extern const struct value_set value_set_zero;
