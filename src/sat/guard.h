/* Catches C++ exceptions for the C code, which cannot. */
#pragma once

#ifdef __cplusplus
extern "C" {
#else
#include <stdbool.h>
#endif

/* Calls work(state). False when C++ code under it threw because an allocation failed or a size was past what can be
 * allocated; what it was working on is then only to be destroyed. The C code in between must hold nothing of its own
 * and be compiled with -fexceptions. */
bool guard_run(void (*work)(void *state), void *state);

#ifdef __cplusplus
}
#endif
