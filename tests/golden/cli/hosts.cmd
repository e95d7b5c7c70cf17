# Threads of a host in explanations, races, fixes, pictures, the canonical form and JSON.
t=litmus/hosts
ptxlit explain "$t/SB+seq_cst+fence.sc.sys+arm.litmus"
ptxlit races "$t/MP+volatile-poll+arm.litmus"
ptxlit fix "$t/MP+plain-stores+arm.litmus"
ptxlit graph --format text "$t/IRIW+host-readers.litmus"
ptxlit convert "$t/MP+spin+arm.litmus"
ptxlit check --format json "$t/add+pcie-mapped.litmus"
ptxlit check --model ptx-7.5 --quiet "$t/SB+hosts+x86.litmus"
