/* Reading a test and writing it out again, for the targets whose input is a test. */
#ifndef PTXLIT_TESTS_FUZZ_TESTS_H
#define PTXLIT_TESTS_FUZZ_TESTS_H

#include "fuzz.h"

/* Reads the input into the session with these options, and its messages. False when it is no test. */
bool fuzz_read(struct ptxlit *session, const char *name, const uint8_t *data, size_t size,
               const struct ptxlit_options *options);

/* Each test of the session as `convert` prints it must be a test that prints the same. */
void fuzz_round_trip(struct ptxlit *session, const struct ptxlit_options *options);

#endif
