# What a test may give to a compiler: all else is an error at its place, and nothing is run. A word of the test can make
# no file; the compiler here writes what it was told.
mkdir "$T/t" "$T/t/sub" "$T/out"
cd "$T/t"
ln -s "$T/out" link
echo '#define N 1' >sub/n.h
echo '__global__ void k(int *x) { *x = 1; }' >k.cu
printf '.visible .entry k(.param .u64 p)\n{\n  ret;\n}\n' >../k.ptx
cat >../nvcc <<'END'
#!/bin/sh
printf '%s\n' "$*" | sed "s|${PWD%/t}|DIR|g; s|/[^ ]*/ptxlit-[^ /]*|OWN|g" >>../ran
while [ "$1" != -o ]; do shift; done
cat ../k.ptx >"$2"
END
cp ../nvcc ../clang
chmod +x ../nvcc ../clang
named() { # FILE FLAGS
  printf 'PTX t\n%b\n{ x=0; }\nkernel "%s" k(x) grid 1 block 1\nexists (x=0)\n' "$2" "$1" >t.litmus
  try -q --compiler "../${by:-nvcc}" t.litmus 2>&1
  [ ! -e ../ran ] || sed 's/^/ran: /' ../ran
  rm -f ../ran
}
flags() { named k.cu "CompilerFlags=$1"; }
refused() { flags "$1" | grep -e error: -e '\^' -e ^Test -e ^ran: -e ^status; }
flags '-DN=1 -D M=(1+2)*3 -UN -U M -I sub -Isub -I . -include sub/n.h -O3 -w'
flags '-std=c++20 -arch=sm_90a -fmad=false'
by=clang flags '-O1 --cuda-gpu-arch=sm_75 -ffast-math'
named k.cu 'CompilerFlags=-DN=1\nCompilerFlags=-DM=2'
for wrong in '-ccbin ./evil.sh' '-DN=1 -fplugin=./x.so' '-MD -MF victim.txt' '-Xcompiler -fplugin=x' -Wl,x @file \
  '-o x' -B. '--options-file=o' '-specs=x' '-optf o' '-Xclang -load' '-mllvm -x' '-x c++' '-save-temps' -keep \
  'x.cu' -- '-DN=$(touch pwned)' '-DN=`touch pwned`' '-D N="1' '-DN=1,B' '-D -ccbin' '-D 1N' '-UN=1' '-D' '-I' \
  '-I ..' '-I link' '-Ilink/../..' '-I /etc' '-I sub,/etc' '-I k.cu' '-I nonesuch' '-include /etc/passwd' \
  '-include sub' '-include ../k.ptx' '-includesub/n.h' '-O9' '-O3 -std=evil' '-arch=native' '-arch=sm_90,sm_80' \
  '-fmad=maybe' '-maxrregcount=1e9' '"-w"' "-w'" '-w\\\\' '-w\0-ccbin'; do
  refused "$wrong"
done
flags '-DN=1 -ccbin ./evil.sh'
flags '-I ..'
flags '-arch=native -O3'

named k.cu 'CompilerFlags=-DN=1\nCompilerFlags=-ccbin evil'
named ../k.ptx 'CompilerFlags=-ccbin evil'
# Whatever the source is called it is that, and neither an option nor a command.
for name in @opts.cu --options-file=o.cu -ccbin=x.cu 'a;touch pwned;.cu' 'a$(touch pwned).cu' 'a`touch pwned`.cu'; do
  cp k.cu "./$name"
  named "$name"
done
by=clang named @opts.cu
[ ! -e pwned ] || echo 'a word of the test was run'

# The command line's own words: the same table, but paths may lie anywhere; a printed test has those without paths.
mkdir -p ../inc
launch() { # OPTION ...
  try "$@" --compiler ../nvcc k.cu 'k<<<1, 1>>>(int x)' 2>&1
  [ ! -e ../ran ] || sed 's/^/ran: /; s|-I [^ ]*/inc|-I INC|' ../ran
  rm -f ../ran
}
launch -q -I ../inc -I sub -DN=1 -D M -std=c++20
launch --print --include=../inc --define N=1 --std c++20
for wrong in '-Inonesuch' '-DN=$(touch_pwned)' '-D-ccbin' '-std=evil' '--std='; do
  launch -q $wrong
done
launch -q --untrusted -DN=1
printf 'PTX t\nCompilerFlags=--std=c++14 -DM=2\n{ x=0; }\nkernel "k.cu" k(x) grid 1 block 1\nexists (x=0)\n' >t.litmus
try -q --compiler ../nvcc -DN=1 -std=c++20 t.litmus
sed 's/^/ran: /' ../ran
rm ../ran
# A source alone is compiled for the list of its kernels.
try --compiler ../nvcc -DN=1 k.cu 2>&1
try --untrusted k.cu 2>&1
