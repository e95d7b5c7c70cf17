# A response of try_cancel that is loaded as two or four parts of it, as nvcc and LLVM do, and put together again for
# the query: the answers are those for the whole, also in brute force. Parts in another order are no response
# (9.7.15.18), and a branch on a part needs more of it than is modelled.
from=tests/golden/kernels/take-over.ptx
whole='ld.shared.b128 %answer, \[response\];'
load() { # NAME LOAD
  sed -e "s/$whole/$2/" -e 's/\.reg \.b128 %answer;/& .reg .b64 %l, %h; .reg .b32 %w<4>;/' "$from" \
    >"$T/take-$1.ptx"
}
load halves 'ld.shared.v2.b64 {%l, %h}, [response]; mov.b128 %answer, {%l, %h};'
words='mov.b64 %l, {%w0, %w1}; mov.b64 %h, {%w2, %w3}; mov.b128 %answer, {%l, %h};'
load words "ld.shared.v4.b32 {%w0, %w1, %w2, %w3}, [response]; $words"
load apart 'ld.shared.b64 %l, [response]; ld.shared.b64 %h, [response+8]; mov.b128 %answer, {%l, %h};'
load swapped 'ld.shared.v2.b64 {%h, %l}, [response]; mov.b128 %answer, {%l, %h};'
load part 'ld.shared.v2.b64 {%l, %h}, [response]; mov.b128 %answer, {%l, %h}; setp.eq.b64 %p, %l, 0; @%p bra END;'
for name in halves words apart swapped part; do
  echo "$name"
  for asked in 'exists (out[0]=2 /\ out[1]=2)' 'exists (out[0]=1 /\ out[1]=2)' safe; do
    printf 'PTX take\n{\n.b32 out[2];\n}\nkernel "take-%s.ptx" take(out)\n' "$name" >"$T/take.litmus"
    printf 'grid 2 block 1 threads grouped\n%s\n' "$asked" >>"$T/take.litmus"
    ptxlit check --quiet "$T/take.litmus" 2>&1
  done
  case $name in halves | swapped) ptxlit check --quiet --engine enumerate "$T/take.litmus" 2>&1 ;; esac
done
