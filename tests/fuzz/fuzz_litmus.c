/* Litmus tests as text: reading, lowering, messages, and printing them again. Nothing is checked. */
#include "tests.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct ptxlit *session = fuzz_session("");
  fuzz_begin();
  for (size_t mix = 0; mix < 8; mix += 7) { /* strictly, and with all that may be left out */
    struct ptxlit_options options = fuzz_options(mix);
    if (fuzz_read(session, "fuzz.litmus", data, size, &options)) fuzz_round_trip(session, &options);
  }
  fuzz_end();
  ptxlit_free(session);
  return 0;
}
