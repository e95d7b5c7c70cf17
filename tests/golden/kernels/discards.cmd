# A read of unwritten memory whose value a selp discards is no finding, in each block by its own predicate. It is one if
# the value is the other operand, or has another use; and it races like any other.
say() {
  ptxlit check --quiet --cure no "$1" "ahead<<<$2>>>(int out[128], $3)"
}
module=tests/golden/kernels/discards.ptx
say $module '2, 64' 65
say $module '2, 64' 64
say $module '2, 64' 63
say $module '1, 65' 65
say $module '1, 65' 64
sed 's/%r9, %r7, %p1/%r7, %r9, %p1/' $module >"$T/turned.ptx"
say "$T/turned.ptx" '2, 64' 65
say "$T/turned.ptx" '2, 64' 64
say "$T/turned.ptx" '2, 64' 63
sed 's/\/\/ also/xor.b32 %r7, %r7, %r8;/' $module >"$T/also.ptx"
say "$T/also.ptx" '2, 64' 65
sed 's/\/\/ also/st.shared.u32 [words+256], %r1;/' $module >"$T/race.ptx"
say "$T/race.ptx" '2, 64' 65
