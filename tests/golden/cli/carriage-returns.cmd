sed 's/$/\r/' tests/golden/tests/SB.litmus >"$T/crlf.litmus"
try --quiet "$T/crlf.litmus"
