# A model of C++ has its relations and rules named, in words and in the picture.
ptxlit explain litmus/cuda/cuda-SB+seq_cst.litmus
ptxlit graph litmus/cuda/cuda-SB+seq_cst.litmus | tail -n 1
# A relation without a name is told as the model has it.
cat >$T/own.cat <<'X'
"own"
acyclic (W * R & loc) | fr as Own
X
ptxlit explain -m $T/own.cat litmus/classic/SB.litmus | head -n 10
