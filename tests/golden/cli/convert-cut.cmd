# A loop of a kernel that is written out to the bound ends with a brkpt, and a comment that says so; checks do not go
# past it, so that the columns have the kernel's result. A kernel that cannot be judged is not written as columns.
ptxlit convert litmus/kernels/tile-copies.litmus >"$T/columns.litmus"
grep -o 'brkpt.*\*)' "$T/columns.litmus"
try --quiet litmus/kernels/tile-copies.litmus
try --quiet "$T/columns.litmus"
cp litmus/kernels/ring-buffer.ptx "$T"
cat >"$T/large.litmus" <<'END'
PTX large
{ int slots[2]; int head; int out; }
kernel "ring-buffer.ptx" ring_buffer(slots, head, out)
grid 4000 block 1024 threads grouped
safe
END
try --quiet "$T/large.litmus"
try convert "$T/large.litmus"
