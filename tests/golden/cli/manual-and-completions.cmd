# Made from the same table as --help; every long option occurs in each.
options=$(ptxlit --help | grep -o -e '--[a-z][a-z-]*' | sort -u)
for form in man bash zsh fish; do
  ptxlit --help=$form >"$T/$form"
  echo "$form: status $?"
done
ptxlit --complete - >"$T/words"
for option in $options; do
  word=${option#--}
  grep -q -e "${word%%-*}" "$T/man" || echo "man says nothing of $option"
  grep -q -e "^$option	" "$T/words" || echo "$option is not offered"
done
grep '^\.Sh\|^\.Xr' "$T/man"
bash -n "$T/bash" && echo "bash reads it"
# The verb decides: graph has no --shard, the words of --format are its own, map has tables, distinguish models.
try --complete graph --sha
try --complete suite --sha
try --complete graph --format=s
try --complete check --model=sc,ts
try --complete check --certify ''
for table in models/maps/*.map; do
  ptxlit --complete map "$(basename "$table" .map)" | grep -q . || echo "no $table"
done
PATH=$(dirname "$tool"):$PATH T=$T bash <<'END'
. "$T/bash"
offers() {
  COMP_WORDS=(ptxlit "$@")
  COMP_CWORD=$#
  COMPREPLY=()
  _ptxlit
  echo "$*: ${COMPREPLY[*]}"
}
offers graph --sh
offers suite --sh
offers graph --format ''
offers graph a.litmus -f s
offers suite --format = j
offers --fo
offers -m s
offers map abi-1
offers map llvm -m pt
offers distinguish t
offers rac
END
