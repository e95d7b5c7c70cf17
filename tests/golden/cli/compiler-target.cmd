# The compiler is nvcc, on the path or where CUDA is, before any clang. The target is the one that is given, the first
# that compiles of those whose features the source asks for, or sm_90; an error is the first one for the first target.
mkdir "$T/t" "$T/t/bin" "$T/t/cuda" "$T/t/cuda/bin" "$T/t/other" "$T/t/other/bin"
cd "$T/t"
printf '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n  ret;\n}\n' >k.ptx
cat >cuda/bin/nvcc <<'END'
#!/bin/sh
echo "ran: ${0#"$PWD"/} $(echo "$*" | grep -o -e '-[a-z-]*arch=[^ ]*')" >>ran
case " $* " in *"arch="$FAILS" "*)
  echo "$PWD/k.cu(1): warning: not this one"
  echo "$PWD/k.cu(2): error: the first, for $FAILS"
  echo "$PWD/k.cu(3): error: the second"
  echo '2 errors detected in the compilation of "k.cu".'
  exit 1 ;;
esac
while [ "$1" != -o ]; do shift; done
cat k.ptx >"$2"
END
chmod +x cuda/bin/nvcc
cp cuda/bin/nvcc other/bin/nvcc
cp cuda/bin/nvcc bin/clang-19
for word in sh grep cat sed rm env dirname; do ln -s "$(command -v $word)" bin/$word; done
compiled() { # VARIABLES... -- OPTIONS
  set -- "$@"
  rm -f ran
  env PATH="$PWD/bin" FAILS="${FAILS:-}" "$@" "$tool" k.cu 'k<<<1, 1>>>(int A[1])' 2>&1 |
    grep -e assumes -e error -e hint
  cat ran
}
echo '__global__ void k(int *x) { }' >k.cu
compiled CUDA_HOME="$PWD/cuda" CUDA_PATH="$PWD/other" | sed "s|$PWD|DIR|"
compiled CUDA_HOME= CUDA_PATH="$PWD/other" | sed "s|$PWD|DIR|"
arch() {
  rm -f ran
  try --compiler cuda/bin/nvcc "$@" k.cu 'k<<<1, 1>>>(int A[1])' 2>&1 | grep -e assumes -e error
  cat ran 2>&-
}
arch --arch sm_90a
arch --arch evil
try --compiler bin/clang-19 --arch sm_90a k.cu 'k<<<1, 1>>>(int A[1])' 2>&1 | grep assumes
cat >k.cu <<'CU'
#ifdef __CUDA_ARCH_FEAT_SM100_ALL
#elif defined(__CUDA_ARCH_FEAT_SM90_ALL)
#endif // __CUDA_ARCH_FEAT_SM100_ALL
__global__ void k(int *x) { }
CU
arch
FAILS=sm_100a
export FAILS
arch
FAILS=sm_90a arch --arch sm_90a
FAILS='sm_[19]0*a' arch
