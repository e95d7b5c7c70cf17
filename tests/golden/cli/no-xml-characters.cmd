# XML has no U+FFFE and U+FFFF, and no half of a pair of surrogates.
printf 'PTX no-xml\n"\357\277\276 and \357\277\277 and \355\240\200"\n{ x=0; }\n P0@cta 0,gpu 0 ;\n' >"$T/t.litmus"
printf ' st.relaxed.sys x, 1 ;\nexists (x=1)\n' >>"$T/t.litmus"
cd "$T" || exit
sed 's/PTX no-xml/PTX no\xef\xbf\xbexml\xed\xa0\x80/' t.litmus >u.litmus
ptxlit suite -j1 -f junit t.litmus u.litmus 2>/dev/null >o.xml
ptxlit graph -f svg t.litmus >o.svg
ptxlit graph -f svg u.litmus >u.svg
ptxlit suite -j1 -f html t.litmus u.litmus 2>/dev/null >o.html
grep -rlP '\xef\xbf[\xbe\xbf]|\xed\xa0' o.xml o.svg u.svg o.html
grep -o 'testcase name="[^"]*"' o.xml
