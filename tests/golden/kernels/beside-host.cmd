ptxlit check litmus/hosts/kernel-serves-volatile+arm.litmus
ptxlit fix litmus/hosts/kernel-serves-volatile+arm.litmus | head -n 5
