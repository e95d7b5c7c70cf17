# A location takes a few bytes of memory for each of its own: 2 MiB of locations fit in 64.
cat >"$T/large.litmus" <<'END'
PTX large
{ .u8 a[1048576]; .u8 b[1048576]; }
 P0@cta 0                ;
 st.weak.u8 [a+5], 1     ;
 st.weak.u8 [b+65535], 1 ;
exists (a[5]=1 /\ b[65535]=1)
END
try --quiet --memory 64 "$T/large.litmus"
