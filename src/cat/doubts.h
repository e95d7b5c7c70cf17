/* Warnings about definitions that are most likely mistakes. Private to src/cat. */
#pragma once

#include "cat/elaborate.h"

/* Like elaborate_bindings, but warns about definitions that hide a predefined name, or an earlier definition of the
 * file without using it. `before`: the scope of the statement. */
const struct cat_scope *doubts_bind(struct elaborator *e, const struct cat_scope *before,
                                    const struct cat_binding *bindings, bool rec);

/* For the end of the whole model: warns about unused definitions of the file, except names that begin with '_', and
 * about a model that restricts no read. */
void doubts_end(struct elaborator *e, const struct source *file);
