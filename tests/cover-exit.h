/* Included before everything in a build for `make cover`: a process that leaves by _exit, as the workers of a suite do,
 * writes down first which lines it ran. */
#ifndef PTXLIT_TESTS_COVER_EXIT_H
#define PTXLIT_TESTS_COVER_EXIT_H

#ifdef __cplusplus
extern "C" {
#endif
void __gcov_dump(void);
void _exit(int status) __attribute__((noreturn));
void cover_exit(int status) __attribute__((noreturn));

__attribute__((weak)) void cover_exit(int status) {
  __gcov_dump();
  _exit(status);
}

#ifdef __cplusplus
}
#endif

#define _exit cover_exit

#endif
