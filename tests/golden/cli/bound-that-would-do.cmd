# Which loop it was, and how many iterations would do.
ptxlit explain tests/golden/tests/bound-that-would-do.litmus | tail -n 4
