# Which loop it was, and how many iterations would do. (Fewer than the default are no more than that.)
ptxlit explain --unroll 3 tests/golden/tests/bound-that-would-do.litmus | tail -n 4
