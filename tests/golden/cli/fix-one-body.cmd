# A change is proposed for all threads of a column alike.
ptxlit fix tests/golden/tests/one-body-second.litmus | head -n 8
