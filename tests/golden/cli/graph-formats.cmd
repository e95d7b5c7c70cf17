# Each format is what its ending says; a second picture gets a number.
for end in svg dot txt; do
  try graph --pick=all tests/golden/tests/SB.litmus -o "$T/picture.$end"
done
head -c 5 "$T/picture.svg"; echo
head -n 1 "$T/picture.dot" "$T/picture-2.txt"
ls "$T" | sort
grep -c 'class="e ' "$T/picture.svg"
