/* Models that the searches over generated tests are tried on: rows {file, reading or NULL} of an array. */
#ifndef PTXLIT_TESTS_MODELS_H
#define PTXLIT_TESTS_MODELS_H

/* clang-format off */
#define GENERATE_MODELS \
  {"ptx", NULL}, \
  {"ptx-7.5", NULL}, \
  {"ptx-6.0", NULL}, \
  {"sc", NULL}, \
  {"tso", NULL}, \
  {"coherence", NULL}, \
  {"ptx", "G1=order-only"}, \
  {"ptx", "G3=none"}, \
  {"ptx", "G17=total"}, \
  {"ptx", "G14=synchronizes"}, \
  {"ptx", "G13=any-order"}, \
  {"ptx", "G26=complete"}, \
  {"ptx", "G23=dependent"}, \
  {"ptx", "G41=fences-suffice"}
/* clang-format on */

#endif
