# A launch too large for an answer is asked for the findings of some of its blocks, as if the others ran later: the race
# of a chain in which each block waits for the one before it. The last block's own wait is no finding, since the others
# would end it, and a wait by relaxed loads races with nothing.
kernel=tests/golden/kernels/few.ptx
try() { # NAME SED-SCRIPT [OPTION ...]
  sed "$2" "$kernel" >"$T/few.ptx"
  name=$1
  shift 2
  echo "$name: $(ptxlit check --quiet --cure no "$@" "$T/few.ptx" 'chain<<<4000, 1>>>(unsigned words[4000])' 2>&1 |
    sed -n 's/^Test chain ptx //; s/; other.*//; s/[(/].*//; p')"
}
try 'as it is' ''
try 'stores weakly' '/store/s/.release.gpu//'
try 'stores weakly, without prefix' '/store/s/.release.gpu//' --without=prefix
try 'stores weakly, without few' '/store/s/.release.gpu//' --without=prefix,few
try 'stores weakly, without cuts' '/store/s/.release.gpu//' --without=prefix,cuts
try 'waits weakly' '/wait/s/acquire.gpu/weak/'
try 'waits relaxed' '/wait/s/acquire/relaxed/'
