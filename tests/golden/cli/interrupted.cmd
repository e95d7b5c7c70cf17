# An interrupt in a long search ends it soon, whatever the search is at. (A shell lets background commands ignore the
# interrupt, so timeout sends it.)
bench/generate sb-ring-relaxed 40 >"$T/ring.litmus"
timeout -s INT 1 "$tool" --max-outcomes 0 "$T/ring.litmus" >"$T/out" 2>"$T/err"
echo "status $?"
cat "$T/err"
