/* Common code of the fuzz targets. Each target is one file fuzz_NAME.c with LLVMFuzzerTestOneInput, linked with
 * libFuzzer and the address and undefined-behaviour sanitizers (`make fuzz`; see tests/README.md).
 *
 * The expectations hold for every input: the process lives, memory is freed, a limit of time is kept, and printed tests
 * can be read again. A violation ends in BUG, like the tool's internal errors, and so in abort, which libFuzzer reports
 * with the input.
 */
#ifndef PTXLIT_TESTS_FUZZ_H
#define PTXLIT_TESTS_FUZZ_H

#include "base/base.h"
#include "ptxlit.h"

/* One input may use so much processor time; more is a hang. Not wall time: the machine may be busy with others. */
enum { FUZZ_CPU_SECONDS = 100 };

/* What a target defines for libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Starts the clock for one input: abort when it takes longer. */
void fuzz_begin(void);
void fuzz_end(void);

/* After a call with a limit of `limit` seconds: BUG when since the last such call, or the beginning, much more
 * processor time was used. */
void fuzz_kept(double limit, const char *call);

/* A session with these models, separated by commas, from the directory $PTXLIT_MODELS or `models`. Never NULL. */
struct ptxlit *fuzz_session(const char *models);

/* Limits for what random tests may ask for; the rest as `mix` says, some bits of which choose options. */
struct ptxlit_options fuzz_options(size_t mix);

/* A file in memory with these bytes; its path is written to `path`. Give the descriptor to close. */
int fuzz_file(const void *data, size_t size, char path[32]);

#endif
