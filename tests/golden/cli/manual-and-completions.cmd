# Made from the same table as --help; every long option occurs in each.
options=$(ptxlit --help | grep -o -e '--[a-z][a-z-]*' | sort -u)
for form in man bash zsh fish; do
  ptxlit --help=$form >"$T/$form"
  echo "$form: status $?"
  for option in $options; do
    word=${option#--}
    grep -q -e "${word%%-*}" "$T/$form" || echo "$form says nothing of $option"
  done
done
bash -n "$T/bash" && echo "bash reads it"
