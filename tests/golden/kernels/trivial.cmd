# Where branches depend on zeros that nobody gave, the assumption says how many accesses no thread executes.
m=tests/golden/kernels/trivial.ptx
for launch in 'int front[64], int next[65]' 'int front[64] = {1}, int next[65]' 'int front[64] = {1, 1}, int next[65]' \
  'int front[] = {1, 1}, int next[]'; do
  ptxlit check --cure no $m "step<<<2, 32>>>($launch)" 2>&1 | grep -v 'rule:\|^$'
done
