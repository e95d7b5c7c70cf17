# A compiler's message about a file that a stranger named in such a way that its name looks like a place of ours: the
# place, and no word of that file.
mkdir "$T/k.h:1: error " && cd "$T" || exit
echo 'int x = y;' >k.h
echo '__global__ void k(int *x) { *x = 1; }' >k.cu
printf 'PTX leak\n{ x=0; }\nkernel "k.cu" k(x) grid 1 block 1\nexists (x=1)\n' >k.litmus
for line in 'k.h:1: error /../../out/secret:1:1: error: unknown type name SECRET' 'k.h:1:9: error: use of y' \
  'k.cu:1: error /../../out/secret(1): error: SECRET' 'k.h(1): error: use of y'; do
  printf '#!/bin/sh\necho "%s/%s"\nexit 1\n' "$T" "$line" >compiler
  chmod +x compiler
  ptxlit -q --compiler ./compiler k.litmus 2>&1 | head -n 1
done
# A flag that only the other kind of compiler takes: clang would read -G -w as -G with a number.
sed -i '1a CompilerFlags=-G -w' k.litmus
cp compiler clang-fake
ptxlit -q --compiler ./clang-fake k.litmus
