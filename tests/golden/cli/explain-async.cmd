
# Who waits for a phase holds up those at the barrier: the advice is about the phase.
ptxlit explain litmus/async/tmem-pair+no-multicast.litmus | tail -n 5

# No fence has a place between the two accesses of one operation.
ptxlit explain litmus/async/reduce+atom.litmus | grep 'to order them'
