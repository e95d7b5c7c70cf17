/* Catches C++ exceptions for the C code, which cannot. */
#pragma once

#ifdef __cplusplus
extern "C" {
#else
#include <stdbool.h>
#endif

/* Calls work(state). False when C++ code under it threw because an allocation failed or was too large; the object that
 * it worked on may then only be destroyed. The C code in between must hold nothing of its own and be compiled with
 * -fexceptions. */
bool guard_run(void (*work)(void *state), void *state);

#ifdef __cplusplus
}
#endif
