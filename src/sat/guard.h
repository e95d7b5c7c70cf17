/* Catches C++ exceptions for C code, which cannot catch them. */
#pragma once

#ifdef __cplusplus
extern "C" {
#else
#include <stdbool.h>
#endif

/* Calls work(state). False if C++ code called by it threw because an allocation failed or was too large; the object
 * that it worked on may then only be destroyed. The C code in between must hold no resources and be compiled with
 * -fexceptions. */
bool guard_run(void (*work)(void *state), void *state);

#ifdef __cplusplus
}
#endif
