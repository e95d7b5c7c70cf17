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
# Where a comparison with the value is a part of the predicate, the other part may discard it: as false before `and`, as
# true before `or`.
compared() {
  ptxlit check --quiet --cure no "$1" "compared<<<$2>>>(int out[128], $3)"
}
compared $module '2, 64' 65
compared $module '2, 64' 64
compared $module '1, 65' 64
sed 's/and.pred/or.pred/; s/%r8, %r7, %p3/%r7, %r8, %p3/' $module >"$T/or.ptx"
compared "$T/or.ptx" '2, 64' 63
compared "$T/or.ptx" '2, 64' 64
# It does not if the selp takes the value then, if the comparison has another use, if the other part was another one at
# the `and`, or if the other operand of the selp is computed from the value.
sed 's/%r8, %r7, %p3/%r7, %r8, %p3/' $module >"$T/taken.ptx"
compared "$T/taken.ptx" '2, 64' 65
sed 's/\/\/ after/selp.u32 %r7, %r7, 1, %p2;/' $module >"$T/used.ptx"
compared "$T/used.ptx" '2, 64' 65
sed 's/\/\/ between/setp.gt.u32 %p1, %r2, 999;/' $module >"$T/changed.ptx"
compared "$T/changed.ptx" '2, 64' 63
sed 's/setp.lt.u32 %p2, %r7, %r8/add.u32 %r9, %r7, %r8/; s/and.pred %p3, %p1, %p2/and.b32 %r9, %r9, 7/
  s/%r8, %r7, %p3/%r8, %r9, %p1/' $module >"$T/other.ptx"
compared "$T/other.ptx" '2, 64' 65
