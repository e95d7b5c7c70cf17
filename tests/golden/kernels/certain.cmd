# Where values are not modelled, a fault is one only if every execution has it: with barriers before it, too, if threads
# cannot wait there for ever.
m=tests/golden/kernels/certain.ptx
say() { ptxlit check --quiet --cure no "$1" 'before<<<1, 64>>>(float a[64])'; }
say $m
sed 's/\/\/ barrier/bar.sync 0;/' $m >"$T/barrier.ptx"
say "$T/barrier.ptx"
# Not every one has it: where only a value that is not modelled leads there, or to the barrier before it.
sed 's/ld.global.u32 %r2/@%p1 ld.global.u32 %r2/' $m >"$T/perhaps.ptx"
say "$T/perhaps.ptx"
sed 's/ld.global.u32 %r2/@%p1 bar.sync 1, 96; ld.global.u32 %r2/' $m >"$T/stuck.ptx"
say "$T/stuck.ptx"
