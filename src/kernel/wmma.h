/* Rewrites wmma.load and wmma.store as instructions that threads can be run on. Private to src/kernel. */
#pragma once

#include "kernel/expand.h"

/* The stand-in for wmma's arithmetic: the lanes of a warp wait for one another; its result is unknown. */
#define WMMA_ARITHMETIC "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32"

/* A function with the same effect; `narrow`: the address has 32 bits. NULL: an unknown form. */
const struct module_function *wmma_as_words(struct expansion *expansion, const struct litmus_instr *from, bool narrow);
