# A safe launch that shows more than interleavings do: fix looks for changes that make it sequential (K18).
module=tests/golden/kernels/weak-flag.ptx arrays='int data[3] = {0, 0, 0}, int ready[1] = {0}'
for kernel in flag ordered crossed; do ptxlit fix $module "$kernel<<<2, 1>>>($arrays)"; done
ptxlit fix --format=json $module "flag<<<2, 1>>>($arrays)" |
  grep -o '"goal":"[a-z]*"'
