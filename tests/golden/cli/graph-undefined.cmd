# An undefined test says so and shows why: two accesses that race, two arrivals, one instruction, one that then hangs.
try graph litmus/mixed-size/MP+u64+u32+racy.litmus litmus/barriers/undefined+red-meets-sync.litmus
try graph litmus/cluster/undefined+wait-twice.litmus litmus/barriers/undefined+arrive-then-sync.litmus
try graph litmus/warp/undefined+aligned-in-two-arms.litmus
# So does a picture of something else.
try graph --pick=all litmus/mixed-size/two-u32-stores-and-u64-load.litmus
