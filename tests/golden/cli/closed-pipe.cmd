# A reader that leaves early is no error worth a message.
ptxlit --help 2>"$T/messages" | head -n 1 >/dev/null
cat "$T/messages"
ptxlit tests/golden/tests 2>/dev/null | head -n 1
