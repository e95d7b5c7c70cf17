# Threads of the host in a program for a GPU: their instructions, the homes of locations, and tests that are left out.
ptxlit run -o "$T/x86" --parts 1 litmus/hosts/SB+mfence+fence.sc.sys.litmus litmus/hosts/lock+compare_exchange.litmus \
  litmus/hosts/add+pcie-managed.litmus litmus/hosts/MP+dmb-ishld+arm.litmus litmus/hosts/MP+spin+arm.litmus
sed -n -e '/^const object /p' -e '/^struct test/p' -e '/ play_host/,/^  }/p' -e '/::play_host/p' "$T/x86/part0.cu"
for test in launch+write-before IRIW+host-readers hosts-LB-forbidden; do
  ptxlit run -o "$T/$test" litmus/hosts/$test.litmus
done
