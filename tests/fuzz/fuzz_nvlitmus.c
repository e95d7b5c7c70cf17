/* Tests in the format of nvlitmus: reading with their tables, checking the first ones, and converting them. */
#include "tests.h"

static void check_first(struct ptxlit *session) {
  const struct ptxlit_result *result;
  for (size_t test = 0; test < ptxlit_test_count(session) && test < 2; test++) {
    ptxlit_check(session, test, 0, &result);
    ptxlit_render(session, result, PTXLIT_TEXT);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct ptxlit *session = fuzz_session("ptx");
  struct ptxlit_options options = fuzz_options(0);
  fuzz_begin();
  if (fuzz_read(session, "fuzz.test", data, size, &options)) {
    fuzz_round_trip(session, &options);
    check_first(session);
  }
  fuzz_end();
  ptxlit_free(session);
  return 0;
}
