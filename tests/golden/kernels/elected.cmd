# The lane that elect.sync chooses is one that the lanes of its warp decide, so that blocks with elected lanes are twins
# (follow.c): 4,096 blocks count once. By hand: safe. Without the barrier the other warp races with the elected lane; so
# do elected lanes of several blocks that store to one word, of which both must stay.
say() { # LAUNCH [CHANGE [OPTION]]
  sed "${2:-}" tests/golden/kernels/elected.ptx >"$T/elected.ptx"
  launch="elected<<<$1>>>(int out[], int common[1])"
  echo "$1 ${2:-}: $(ptxlit check --quiet --cure no ${3:-} "$T/elected.ptx" "$launch" 2>&1 |
    sed -n 's/^Test [a-z]* ptx //p')"
}
say '4096, 64'
say '4, 64' '' --without=twins
say '4096, 64' '/bar.sync/d'
say '4096, 64' 's/.. store/st.global.b32 [g], c;/'
say '1, 64' 's/.. store/st.global.b32 [g], c;/'
