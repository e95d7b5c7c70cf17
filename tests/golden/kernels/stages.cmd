# The stage of a ring in findings, explanations, pictures and JSON. A reader that uses every second stage is in the ring
# of the writer. Where no thread waits between the elements of an array, they are no stages. A hang is told with the
# iteration and the state of the object that it is at, and so is the execution.
K=tests/golden/kernels/stages.ptx
for launch in 'ring<<<1, 64>>>(2)' 'rows<<<1, 64>>>()' 'objects<<<1, 64>>>()'; do
  ptxlit check --format=herd $K "$launch" 2>&1 | grep ^Unsafe
done
ptxlit check --format=json $K 'ring<<<1, 64>>>(2)' 2>/dev/null | grep -o '"findings.*"kind":"race"' |
  grep -o '"turn[^}]*"stages":[0-9]*'
ptxlit explain $K 'objects<<<1, 64>>>()' 2>/dev/null | grep -e 'P1 .*\[%r7\]' -e again -e 'waits for' | sort
ptxlit graph $K 'objects<<<1, 64>>>()' 2>/dev/null | grep stage
