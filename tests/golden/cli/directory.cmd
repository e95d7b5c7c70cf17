# Every .litmus file below a directory, in the order of their names; other files are left alone.
mkdir -p "$T/b" "$T/a"
sed 's/^PTX SB/PTX SB-b/' tests/golden/tests/SB.litmus >"$T/b/one.litmus"
sed 's/^PTX SB/PTX SB-a/' tests/golden/tests/SB.litmus >"$T/a/two.litmus"
cp tests/golden/tests/SB.litmus "$T/zero.litmus"
echo "not a test" >"$T/a/README"
try --quiet "$T"
# A pipe is not waited for, and the rest is read.
mkfifo "$T/b/pipe.litmus"
try --quiet "$T"
