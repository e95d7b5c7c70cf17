# Names that a module gives to two variables of two functions, and register names that a test could not contain: what
# convert prints can be read again, and has the same result. A parameter that is too short, or without a type.
cp tests/golden/kernels/odd-names.ptx "$T/k.ptx"
cd "$T" || exit
printf '%s\n' 'PTX variables' '{ out[2]={5,5}; }' 'kernel "k.ptx" variables(out) grid 1 block 1' \
  'forall (out[0]=7 /\ out[1]=0)' >variables.litmus
printf '%s\n' 'PTX short_parameter' '{ }' 'kernel "k.ptx" short_parameter(1) grid 1 block 1' safe >short.litmus
for test in variables short; do
  ptxlit check --format=herd $test.litmus | grep -e Observation -e ^Unsafe
  ptxlit convert $test.litmus >again.litmus
  ptxlit check --format=herd again.litmus | grep -e Observation -e ^Unsafe
done
sed 's/u32 out/u31 out/' k.ptx >type.ptx
try check type.ptx
