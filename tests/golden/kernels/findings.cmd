# The text about launches: findings by the lines of the source, all of them; the cause of a hang before its victims; a
# launch in which most threads do nothing.
k=tests/golden/kernels/findings.ptx
ptxlit $k 'reversed<<<1, 64>>>(int a[64], int out[64])'
ptxlit -v $k 'reversed<<<1, 64>>>(int a[64], int out[64])'
ptxlit --format=herd $k 'reversed<<<1, 64>>>(int a[64], int out[64])'
ptxlit $k 'stuck<<<1, 64>>>()'
ptxlit $k 'guarded<<<1, 64>>>(int a[64], 0)' 'guarded<<<1, 64>>>(int a[64], 3)' 'guarded<<<1, 64>>>(int a[64], 64)'
# Without the source beside the module its lines are named, not quoted.
mkdir $T/apart
cp $k $T/apart
ptxlit $T/apart/findings.ptx 'reversed<<<1, 64>>>(int a[64], int out[64])' | head -n 4
