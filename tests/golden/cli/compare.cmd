# Where models differ, where they do not, where one has no answer.
try compare litmus/classic/SB.litmus
try compare --model ptx,coherence litmus/classic/MP+release.gpu+acquire.gpu.litmus
try compare -m ptx,ptx-6.0 litmus/classic/SB.litmus
try compare --model sc,ptx litmus/mixed-size/MP+u64+u32+racy.litmus
try compare --format=json litmus/classic/SB.litmus
try compare --model sc litmus/classic/SB.litmus
