# `-o -` is standard output, as it is elsewhere, and no file of that name.
cd "$T" || exit 1
ln -s "$OLDPWD/litmus" .
try suite --format=tap -o - litmus/classic/SB.litmus 2>&1 | sed "s/([0-9.]* s)/(TIME)/"
try graph -o - litmus/classic/SB.litmus
try convert -o - litmus/classic/SB.litmus
ls
