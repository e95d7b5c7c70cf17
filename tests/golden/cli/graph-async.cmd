# Accesses of asynchronous operations beside their issuer, and the phases of mbarrier objects as a row.
ptxlit graph --width 120 litmus/async/load+wait.litmus
ptxlit graph --width 120 litmus/async/load+expects-too-much.litmus --pick deadlock
ptxlit graph -f svg litmus/async/load+wait.litmus | grep -o '>cta0:full:[^<]*'
ptxlit graph -f dot litmus/async/load+wait.litmus | grep -o 'object0.*cta0:full:[^<]*'
