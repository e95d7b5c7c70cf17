# Each format is what its ending says; a second picture gets a number.
for end in svg png pdf dot txt; do
  try graph --pick=all tests/golden/tests/SB.litmus -o "$T/picture.$end"
done
head -c 5 "$T/picture.svg"; echo
head -c 4 "$T/picture.png" | tail -c 3; echo
head -c 4 "$T/picture.pdf"; echo
head -n 1 "$T/picture.dot" "$T/picture-2.txt"
ls "$T" | sort
grep -c 'class="e ' "$T/picture.svg"
