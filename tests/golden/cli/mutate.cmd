# Mutants of tests whose condition the model forbids, and how many of them a run killed.
cat >$T/MP.litmus <<'END'
PTX MP
Expect=ptx:Never
{ x=0; y=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0         ;
 st.weak x, 1        | ld.relaxed.gpu r0, y   ;
 st.release.gpu y, 1 | fence.acq_rel.gpu      ;
                     | ld.weak r1, x          ;
exists (1:r0=1 /\ 1:r1=0)
END
sed 's/st.release/st.relaxed/; s/PTX MP/PTX open/; s/Never/Sometimes/' $T/MP.litmus >$T/open.litmus
try mutate $T/MP.litmus $T/open.litmus
try mutate $T/MP.litmus -o $T/to/mutants
ls $T/to/mutants
try -q $T/to/mutants
try mutate --model sc $T/MP.litmus
try mutate
try mutate $T/absent.litmus
machine='"device":"NVIDIA H200","driver":"580","compiler":"nvcc 13.0.88","flags":"-O3 -arch=sm_90"'
for n in 1 2 3; do
  file=$T/to/mutants/MP~$n.litmus
  text=$(ptxlit --dump=ast $file | sed 's/\\/&&/g' | awk '{ printf "%s\\n", $0 }')
  count=$((n * 10 - 10))
  hash=$(ptxlit $file | sed -n 's/^Hash=//p')
  printf '%s' "{\"format\":1,\"test\":\"MP~$n\",\"hash\":\"$hash\",\"text\":\"$text\"," \
    "$machine,\"runs\":100,\"seconds\":0.5,\"unfinished\":0,\"ended\":\"done\",\"outcomes\":["
  [ $count = 0 ] || printf '%s' "{\"state\":\"1:r0=1; 1:r1=0;\",\"count\":$count},"
  printf '%s\n' "{\"state\":\"1:r0=0; 1:r1=0;\",\"count\":$((100 - count))}]}"
done >$T/seen.jsonl
try observe -q $T/seen.jsonl
