# A reader that leaves early is no error worth a message, but what came after it was not done: status 2.
ptxlit --help 2>"$T/messages" | head -n 1 >/dev/null
cat "$T/messages"
ptxlit tests/golden/tests 2>/dev/null | head -n 1
# Its standard output is closed before it writes.
gone() { { sleep 0.5; "$@" 2>"$T/messages"; echo "$* status $?" >"$T/status"; } | :; cat "$T/messages" "$T/status"; }
gone ptxlit tests/golden/tests/SB.litmus
gone ptxlit --format json tests/golden/tests/SB.litmus
# A suite may notice it with the head of its report, before there is a result.
summary() { sed 's/^\(1 result: 1 new\|0 results; 1 file not run\).*/a summary/'; }
gone ptxlit suite --format json tests/golden/tests/SB.litmus | summary
gone ptxlit suite tests/golden/tests/SB.litmus | summary
# Nor is anything done once nobody reads the messages.
said() { sleep 0.2; ptxlit -q docs/examples/typo.litmus "$1" 2>&1 >"$T/out"; echo "status $?" >"$T/status"; }
said tests/golden/tests/SB.litmus | :
cat "$T/out" "$T/status"
