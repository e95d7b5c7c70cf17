# A hundred thousand levels of everything that nests: an error or an answer, never a crash.
many() { awk -v word="$1" 'BEGIN { for (i = 0; i < 100000; i++) printf "%s", word }'; }
head='PTX deep
{ x=0; }
 P0@cta 0,gpu 0 ;
 ld.weak r0, x  ;
'
{ echo "$head"; printf 'exists '; many '('; printf '0:r0=0'; many ')'; echo; } >"$T/parentheses.litmus"
{ echo "$head"; printf 'exists '; many '~'; echo '(0:r0=0)'; } >"$T/not.litmus"
{ echo "$head"; printf 'exists ('; many '0:r0=0 /\\ '; echo '0:r0=0)'; } >"$T/and.litmus"
{ many '(* '; echo "$head"; } >"$T/comments.litmus"
{ echo 'PTX deep'; many '{'; } >"$T/braces.litmus"
{ printf 'let r = '; many '('; printf 'po'; many ')'; echo; } >"$T/parentheses.cat"
{ printf 'let r = '; many '~'; echo 'po'; } >"$T/complement.cat"
{ printf 'let r = po'; many '+'; echo; } >"$T/plus.cat"
{ printf 'let r = po'; many ' | po'; echo; } >"$T/union.cat"
{ many '(* '; echo; } >"$T/comments.cat"
for test in parentheses not and comments braces; do
  ptxlit --quiet "$T/$test.litmus" 2>&1 | cut -c 1-200
done
for model in parentheses complement plus union comments; do
  ptxlit --quiet --model "$T/$model.cat" tests/golden/tests/SB.litmus 2>&1 | cut -c 1-200
done
