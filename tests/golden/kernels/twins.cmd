# The answers with CTAs left out before threads run, and without that.
m=tests/golden/kernels/twins.ptx
for launch in 'own<<<12, 32>>>(int a[384], 384)' 'own<<<12, 32>>>(int a[384], 370)' 'next<<<12, 32>>>(int a[385])' \
  'seventh<<<12, 32>>>()' 'shared<<<12, 32>>>()' 'lanes<<<12, 32>>>(int a[1])' 'sum<<<12, 32>>>(int a[1])' \
  'ticket<<<12, 32>>>()' 'copied<<<12, 32>>>(int a[12])' 'turned<<<12, 2>>>(int f[12])' \
  'later<<<12, 2>>>(int c[12])' \
  'own_sum<<<12, 32>>>(int a[1])' 'sum_read<<<12, 32>>>(int a[1])' 'misaligned<<<12, 32>>>(int a[1024])' \
  'gather<<<12, 32>>>(int a[384], int b[64], int c[384])' 'gather<<<12, 32>>>(int a[384], int b[384], b)' \
  'heads<<<12, 32>>>(int a[448], 0)' 'heads<<<12, 32>>>(int a[448], 39)' 'pairs<<<12, 32>>>(int a[448])' \
  'chosen<<<12, 32>>>(int b[12] = {0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0})' 'chosen<<<12, 32>>>(int b[12] = {6})'; do
  ptxlit check --quiet --cure no $m "$launch"
  ptxlit check --quiet --cure no --without=twins $m "$launch"
done
printf 'PTX given\n{ int a[12] = {0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0}; }\nkernel "%s" given(a)\ngrid 12 block 32
threads grouped\nsafe\n' "$PWD/$m" >"$T/given.litmus"
ptxlit --quiet "$T/given.litmus"
ptxlit --quiet --without=twins "$T/given.litmus"
for entry in aliased signalled; do
  printf 'PTX %s\n{ int a[24]; y @ generic aliases a; }\nkernel "%s" %s(a, y)\ngrid 12 block 2
threads grouped\nsafe\n' $entry "$PWD/$m" $entry >"$T/$entry.litmus"
  ptxlit --quiet "$T/$entry.litmus"
  ptxlit --quiet --without=twins "$T/$entry.litmus"
done
# A million threads.
ptxlit check --quiet $m 'own<<<32768, 32>>>(int a[1048576], 1048570)'
ptxlit check --quiet $m 'heads<<<32768, 32>>>(int a[], 0)'
