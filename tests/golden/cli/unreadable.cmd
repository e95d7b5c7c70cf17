# A file that is not there, one that fails while it is read, and one whose name is a path through a file; the test after
# them is still done.
try --quiet no/such/file.litmus /proc/self/mem Makefile/x.litmus tests/golden/tests/SB.litmus
