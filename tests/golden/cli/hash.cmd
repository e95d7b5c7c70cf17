# Hash is of the canonical form without the head: name, keys, comments, layout and notation of numbers do not matter;
# other words do, though they may mean the same.
hash() { # WHAT SED: prints whether the hash of the edited test is that of the test as it is
  sed "$2" tests/golden/tests/SB.litmus >"$T/x.litmus"
  now=$(ptxlit "$T/x.litmus" 2>/dev/null | sed -n 's/^Hash=//p')
  [ "$now" = "$first" ] && echo "same: $1" || echo "other: $1"
}
first=$(ptxlit tests/golden/tests/SB.litmus | sed -n 's/^Hash=//p')
hash "as it is" ''
hash "name" 's/^PTX .*/PTX other/'
hash "head" 's/^{/"Text"\nExpect=ptx:Sometimes\nKey=Value\n{/'
hash "comment" 's/^exists/(* a comment *)\nexists/'
hash "layout" 's/ *|/|/g'
hash "number" 's/, 1 /, 0x1 /'
hash "register" 's/r0/r9/g'
hash "type" 's/st\(.*\) x/st.u32\1 x/'
hash "brackets" 's/ x, 1/ [x], 1/'
hash "condition" 's/^exists/~exists/'
