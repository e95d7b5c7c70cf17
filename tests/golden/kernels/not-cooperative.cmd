# The workspace of a cooperative launch is missing: the cure says what the launch lacks, but not of another trap.
for launch in 'meets<<<2, 1>>>(int out[2])' 'meets<<<2, 1>>>(int out[2]) cooperative'; do
  ptxlit check --cure no tests/golden/kernels/not-cooperative.ptx "$launch"
done
sed '/envreg1/s/%envreg1/0/; /envreg2/s/%envreg2/0/' tests/golden/kernels/not-cooperative.ptx >"$T/trap.ptx"
ptxlit check --cure no "$T/trap.ptx" 'meets<<<2, 1>>>(int out[2])'
