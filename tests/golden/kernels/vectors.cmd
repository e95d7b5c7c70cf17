module=tests/golden/kernels/vectors.ptx
for launch in 'by_word<<<1, 1>>>()' 'within<<<1, 1>>>()' 'beyond<<<1, 1>>>()' 'read<<<1, 1>>>(int a[8])' \
  'aligned<<<1, 1>>>(int a[8])'; do
  echo "$launch"
  ptxlit check "$module" "$launch"
done
