/* The only C++ of the library: see guard.h. */
#include "sat/guard.h"

#include <new>
#include <stdexcept>

bool guard_run(void (*work)(void *state), void *state) {
  try {
    work(state);
    return true;
  } catch (const std::bad_alloc &) {
    return false;
  } catch (const std::length_error &) {
    return false;
  }
}
