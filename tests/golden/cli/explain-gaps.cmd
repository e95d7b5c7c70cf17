# Gaps of the document that no shipped test shows: an atom without a result that acquires, a value that only a torn
# access could have. Then a filter is said, values that cannot be are said, and so is a test that never ends.
cat >"$T/unused.litmus" <<'END'
PTX atom-without-result
{ x=0; f=0; }
 P0@cta 0            | P1@cta 1                               ;
 st.weak x, 1        | atom.acquire.gpu.cas.b32 _, [f], 1, 2  ;
 st.release.gpu f, 1 | ld.weak r1, x                          ;
exists (f=2 /\ 1:r1=0)
END
cat >"$T/torn.litmus" <<'END'
PTX torn
{ x=0; }
 P0@cta 0         | P1@cta 1      ;
 st.weak x, 65537 | ld.weak r1, x ;
exists (1:r1=1)
END
cat >"$T/filter.litmus" <<'END'
PTX filter
{ x=0; f=0; }
 P0@cta 0            | P1@cta 1            ;
 st.weak x, 1        | ld.acquire.gpu r0, f ;
 st.release.gpu f, 1 | ld.weak r1, x        ;
filter (1:r0=1)
exists (1:r1=0)
END
for test in unused torn filter; do ptxlit explain - <"$T/$test.litmus"; done
try explain docs/examples/part-of-a-block.litmus
try explain litmus/errata/8.10.2-fence-sc-follows-synchronization.litmus
