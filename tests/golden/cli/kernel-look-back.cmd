# A poll that a vote ends says what this lane read, of the few values that the word may hold: the loop behind it, whose
# body stands above its head in the text, is left at once, and the store in it is not reached.
ptxlit --dump=slice tests/golden/kernels/look-back.litmus
