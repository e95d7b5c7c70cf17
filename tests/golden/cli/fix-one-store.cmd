# No barrier comes between two threads at one store: one thread should write, or the store be atomic for them.
launch='last<<<1, 64>>>(.u32 out[64])'
ptxlit check tests/golden/cli/fix-one-store.ptx "$launch" | sed -n '/cure:/p'
ptxlit fix tests/golden/cli/fix-one-store.ptx "$launch"
