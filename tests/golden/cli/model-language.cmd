echo "# a title says nothing of the language"
printf '"CUDA-class GPUs: my model of PTX"\ninclude "ptx.cat"\n' >$T/mine.cat
printf '"PTX, and a model of CUDA C++"\nlanguage cuda\nacyclic po | rf | co | fr as SC\n' >$T/cuda.cat
printf '"Both"\nlanguage ptx, cuda\nacyclic po | rf | co | fr as SC\n' >$T/both.cat
printf '"What a file says goes before what it includes"\ninclude "sc.cat"\nlanguage cuda\n' >$T/outer.cat
for model in mine cuda both outer; do
  try --quiet --model $T/$model.cat tests/golden/tests/SB.litmus
  try --quiet --model $T/$model.cat litmus/cuda/cuda-CoRR.litmus
done
