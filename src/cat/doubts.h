/* Warnings about definitions that a model most likely does not mean. Private to src/cat. */
#pragma once

#include "cat/elaborate.h"

/* The definitions of one statement, evaluated in `before`: which of them hide a predefined name, or a definition of the
 * same file that they do not build on. Instead of elaborate_bindings. */
const struct cat_scope *doubts_bind(struct elaborator *e, const struct cat_scope *before,
                                    const struct cat_binding *bindings, bool rec);

/* After the whole model: definitions of the file that nothing uses (a name that begins with '_' is meant so), and a
 * model that restricts no read. */
void doubts_end(struct elaborator *e, const struct source *file);
