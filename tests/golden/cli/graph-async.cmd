# Accesses of asynchronous operations beside their issuer, and the phases of mbarrier objects as a row.
ptxlit graph --width 120 litmus/async/load+wait.litmus
ptxlit graph --width 120 litmus/async/load+expects-too-much.litmus --pick deadlock
ptxlit graph -f svg litmus/async/load+wait.litmus | grep -o '>cta0:full:[^<]*'
ptxlit graph -f dot litmus/async/load+wait.litmus | grep -o 'object0.*cta0:full:[^<]*'
# A frame around each operation, and a legend of the relations drawn.
ptxlit graph -f svg litmus/async/load+wait.litmus | grep -o '<g class="o">.*'
ptxlit graph -f svg litmus/async/load+wait.litmus | grep '^<g class="l">' | grep -o '>[^<>]*</text>'
# What is asked for is drawn whole: each access of the operation.
ptxlit graph --show spawn,done litmus/async/load+wait.litmus | grep -e ' spawn ' -e ' done '
