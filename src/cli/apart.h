/* Work that a library under it may end: in a process of its own. */
#ifndef PTXLIT_CLI_APART_H
#define PTXLIT_CLI_APART_H

#include "cli/run.h"

/* Does work(run, state) in a child, which then goes on like its parent: both return, and are to end. The parent has
 * taken over what came of it, run->worst, and nothing else. Graphviz does not survive that an allocation fails; what
 * then ends the child becomes a message and `no verdict`. A signal that ends the tool is passed on to the child, and
 * what ends the child so ends the tool. Standard output must have nothing buffered. Without a process to be had, the
 * work is done in this one. */
void apart_run(struct run *run, void (*work)(struct run *run, void *state), void *state);

#endif
