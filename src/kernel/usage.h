/* The parts of its launch that a kernel reads, by its text alone: for the launch that ptxlit proposes (list.c). */
#pragma once

#include "kernel/module.h"

enum { USAGE_AXES = 3 };

struct usage {
  bool threads, blocks;                                 /* some place of a thread, or of a block, is read */
  bool thread_axis[USAGE_AXES], block_axis[USAGE_AXES]; /* %tid.x, .y and .z; %ctaid */
  bool cooperative;                                     /* the workspace of a cooperative launch is */
};

struct usage usage_of(struct arena *arena, const struct module *module, const struct module_function *kernel);

/* The axis whose index, as far as it comes from the places of threads, a scalar parameter is compared or multiplied
 * with; USAGE_LOOP: it is compared with something else only; USAGE_NONE: with nothing. */
enum { USAGE_LOOP = USAGE_AXES, USAGE_NONE };
uint32_t usage_axis(struct arena *arena, const struct module_function *kernel, const char *param);
