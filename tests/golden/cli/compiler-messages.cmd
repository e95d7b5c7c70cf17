# What compilers print is shown without a line of a source, and of a file outside the test's directory only the place.
mkdir "$T/t" "$T/t/sub"
cd "$T/t"
echo 'secret of another' >../other
echo 'own' >sub/n.h
ln -s ../other link.h
echo '__global__ void k(int *x) { *x = 1; }' >k.cu
printf 'PTX t\n{ x=0; }\nkernel "k.cu" k(x) grid 1 block 1\nexists (x=0)\n' >t.litmus
prints() { # what nvcc prints, in printf's words
  printf '#!/bin/sh\ncat "%s/said"\nexit 1\n' "$T" >../nvcc
  chmod +x ../nvcc
  printf "$1" >../said
  ptxlit -q --compiler ../nvcc t.litmus 2>&1 | sed -n '1s/^t.litmus:3:8: error: //p'
}
prints "$PWD/k.cu(1): error: identifier \"y\" is undefined\n  int x = y; // secret\n"
prints "$PWD/k.cu:1:7: warning: a\nsecret error\n$PWD/k.cu:1:9: fatal error: n.h: No such file or directory\n"
prints "sub/n.h:1:2: error: unknown type name 'own'\nown\n"
prints "$T/other:1:1: error: unknown type name 'secret'\nsecret of another\n"
prints "In file included from $PWD/k.cu:1:\n$T/other(1): error: identifier \"secret\" is undefined\n"
prints "link.h:1:1: error: unknown type name 'secret'\n"
prints "../t/../other:1:1: error: unknown type name 'secret'\n"
prints "nonesuch:1:1: error: unknown type name 'secret'\n"
prints "$T/other:1:1: warning: unknown type name 'secret'\n"
prints 'nvcc fatal   : Unsupported gpu architecture\n'
prints 'clang: error: cannot find CUDA installation\n'
prints 'nothing that is known\nsecret\n'
prints ''
