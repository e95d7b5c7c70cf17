# Blanks of every kind part what is expected, no other control byte does: what is printed reads the same.
write() { # BYTE
  printf 'PTX e\nExpect=ptx:Always%bsc:Always\n{ x=0; }\n P0@cta 0,gpu 0 ;\n st.relaxed.gpu x, 1 ;\nexists (x=1)\n' "$1"
}
for byte in '\r' '\f' '\v'; do
  write "$byte" >"$T/blank.litmus"
  ptxlit --quiet --model sc,ptx "$T/blank.litmus"
  ptxlit --dump=ast "$T/blank.litmus" | sed -n 2p
done
write '\026' >"$T/control.litmus"
ptxlit --quiet "$T/control.litmus"
