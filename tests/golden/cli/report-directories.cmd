# The directories that a site lies in are made with it.
ptxlit report -o "$T/a//b/site/" litmus/classic/SB.litmus
echo "status $?"
ls "$T/a/b/site"
echo >"$T/file"
ptxlit report -o "$T/file/site" litmus/classic/SB.litmus
echo "status $?"
