# Operands that a verb cannot have: what is wrong, and what to do.
cp tests/golden/tests/SB.litmus litmus/kernels/ring-buffer.ptx "$T"
launch='ring_buffer<<<2, 1>>>(int slots[2], unsigned head, int out)'
w() {
  printf '\n$ ptxlit %s\n' "$*"
  ptxlit "$@" 2>&1 | head -5
}
w help
w safe "$T/SB.litmus"
w lsp "$T/SB.litmus"
w observe "$T/SB.litmus"
w merge "$T/SB.litmus"
w check --quiet "$T/SB.litmus" '0:r0=[1]'
w explain "$T/SB.litmus" 'place=2'
w check --print "$T/SB.litmus"
w races --quiet "$T/ring-buffer.ptx" "$launch" 'out=7'
w check --quiet "$T/ring-buffer.ptx" "$launch" 'out=7'
w check "$T/ring-buffer.cu" "$launch"
w check --model none "$T/SB.litmus" | head -3
printf '.version 8.0\n.target sm_90\n.address_size 64\n' >"$T/empty.ptx"
w check "$T/empty.ptx" 'k<<<1, 1>>>()'
