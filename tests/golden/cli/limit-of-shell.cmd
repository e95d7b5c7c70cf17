# A limit of the shell below half of the machine's memory, or below --memory, stays.
(
  ulimit -v 1000000
  ptxlit --quiet docs/tutorial/tests/buffers.litmus
  ptxlit --quiet --memory 4000 docs/tutorial/tests/buffers.litmus
  ptxlit suite --memory 4000 docs/tutorial/tests/buffers.litmus | sed 's/ (.*//'
)
