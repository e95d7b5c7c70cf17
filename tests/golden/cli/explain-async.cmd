
# Who waits for a phase holds up those at the barrier: the advice is about the phase.
ptxlit explain litmus/async/tmem-pair+no-multicast.litmus | tail -n 5
