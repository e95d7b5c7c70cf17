# Of a large grid only the first and last blocks take part, which keep their numbers; clusters are whole, and a
# cooperative grid, which waits for all of its blocks, is not cut. Otherwise 50,000 blocks are too many threads, and
# only a finding of some of them is an answer.
module=tests/golden/kernels/grid-at-most.ptx
launch() {
  ptxlit check --format=herd $module "$@" 2>&1 | grep -e ^Verdict -e grid-at-most -e error -e unknown
}
launch 'next<<<50000, 32>>>(int A[1600001])' --grid-at-most 4
launch 'next<<<50000, 32>>>(int A[1600001])' --grid-at-most 3
launch 'next<<<50000, 32>>>(int A[1600001])' --grid-at-most 2
launch 'next<<<50000, 32>>>(int A[1600001])'
launch 'next<<<64, 32>>>(int A[2049]) cluster 4' --grid-at-most 2
launch 'next<<<4, 32>>>(int A[129])' --grid-at-most 4
launch 'next<<<8, 32>>>(int A[257]) cooperative' --grid-at-most 2
ptxlit check $module 'past<<<50000, 64>>>(int A[])' --grid-at-most 2 | sed -n '1p; /assumes/p'
ptxlit check --print $module 'past<<<50000, 64>>>(int A[64])' --grid-at-most 2 >"$T/t.litmus"
cp $module "$T"
try suite --grid-at-most 2 "$T/t.litmus" 2>&1 | sed 's/ (T s)//'
