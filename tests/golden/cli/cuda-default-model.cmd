# Where no model is named, tests in CUDA C++ have rc11-scoped and tests in PTX ptx, for every verb; a model that is
# named is the one.
cuda=litmus/cuda/cuda-if-else.litmus ptx=litmus/classic/SB.litmus
try -q $cuda $ptx
try -q -m ptx $cuda $ptx
for verb in graph races explain fix compare "check --readings all"; do
  echo "== $verb"
  ptxlit $verb $cuda $ptx | grep '^Test' | head -n 4
done
ptxlit compare $cuda | sed -n 2p
ptxlit observe -q tests/hardware/h200-cuda.jsonl | head -n 1
ptxlit suite -f html $cuda $ptx 2>/dev/null | grep -o '<tr><th>Test</th><th>[^<]*'
# A reading is one of ptx, and of rc11-scoped where there is a test in CUDA C++.
for test in $cuda $ptx; do ptxlit -q --reading G26=complete $test 2>&1 | head -n 1; done
