# Whoever only reads tests or results runs no compiler, and opens nothing that results name.
cd "$T"
mkdir bin tests
for name in nvcc clang evil.sh; do printf '#!/bin/sh\ntouch "%s/ran"\nexit 1\n' "$T" >bin/$name; done
chmod +x bin/*
PATH=$T/bin:$PATH
echo '__global__ void k(int *x) { *x = 1; }' >tests/k.cu
printf 'PTX t\nCompilerFlags=-O3\n{ x=0; }\nkernel "k.cu" k(x) grid 1 block 1\nexists (x=1)\n' >tests/t.litmus
cp tests/k.cu k.cu
echo secret >k.ptx
on='"device":"d","driver":"","compiler":"","flags":""'
end='"runs":1,"unfinished":0,"ended":"done","outcomes":[{"state":"x=0;","count":1}]}'
head='PTX t\n{ x=0; }\nkernel'
for file in k.cu k.ptx /proc/self/environ; do
  text="$head \\\"$file\\\" k(x) grid 1 block 1\\nexists (x=1)\\n"
  printf '%s\n' "{\"format\":1,\"test\":\"t\",\"hash\":\"0\",\"text\":\"$text\",$on,$end" >r.jsonl
  try observe r.jsonl
done
text='PTX t\nCompilerFlags=-ccbin ./bin/evil.sh\n{ x=0; }\nkernel \"k.cu\" k(x) grid 1 block 1\nexists (x=1)\n'
printf '%s\n' "{\"format\":1,\"test\":\"t\",\"hash\":\"0\",\"text\":\"$text\",$on,$end" >r.jsonl
try observe r.jsonl
[ ! -e ran ] || echo 'something was run'
