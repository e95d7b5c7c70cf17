# Results of runs on GPUs: added up by what a test does, judged, in every format.
text='PTX MP\n{\nx=0;\ny=0;\n}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | ld.acquire.gpu r0, y ;\n '
text=$text'st.release.gpu y, 1 | ld.weak r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n'
loop='PTX two\n{\nx=0;\n}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.sync 0 | ld.weak r0, x ;\n | bar.sync 0 ;\n'
loop=$loop'exists (1:r0=0)\n'
printf '%b' "$text" >$T/MP.litmus
printf '%b' "$loop" >$T/two.litmus
hash() { ptxlit "$1" | sed -n 's/^Hash=//p'; }
machine='"device":"NVIDIA H200","driver":"580","compiler":"nvcc 13.0.88","flags":"-O3 -arch=sm_90"'
result() { # NAME FILE TEXT RUNS UNFINISHED ENDED OUTCOMES
  printf '%s' "{\"format\":1,\"test\":\"$1\",\"hash\":\"$(hash $2)\",\"text\":\"$3\",$machine,\"runs\":$4,"
  printf '%s\n' "\"seconds\":0.5,\"unfinished\":$5,\"ended\":\"$6\",\"outcomes\":[$7]}"
}
mp=$text
right='{"state":"1:r0=0; 1:r1=0;","count":900},{"state":"1:r0=1; 1:r1=1;","count":99}'
result MP $T/MP.litmus "$mp" 1000 1 done "$right" >$T/right.jsonl
result two $T/two.litmus "$loop" 5 0 hang '{"state":"1:r0=0;","count":5}' >>$T/right.jsonl
why='"left_out":"it needs a second GPU"'
two=$(hash $T/two.litmus)
printf '%s\n' "{\"format\":1,\"test\":\"left\",\"hash\":\"$two\",\"text\":\"$loop\",$why}" >$T/left.jsonl
result MP $T/MP.litmus "$mp" 10 0 done '{"state":"1:r0=1; 1:r1=0;","count":10}' >$T/wrong.jsonl
try observe $T/right.jsonl
try observe $T/right.jsonl $T/right.jsonl $T/wrong.jsonl
try observe -q $T/wrong.jsonl --model sc,coherence
try observe --format=log $T/right.jsonl $T/wrong.jsonl
try observe --format=json $T/wrong.jsonl
try explain --seen $T/right.jsonl $T/MP.litmus | head -n 3
try observe $T/left.jsonl $T/wrong.jsonl -q
try observe $T/left.jsonl
try graph --seen $T/right.jsonl $T/MP.litmus | head -n 4
