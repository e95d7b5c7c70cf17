# A table below a test: rows, names, and every message, at the line of the row.
show() { cat >"$T/$1.litmus"; echo "# $1"; ptxlit --quiet "$T/$1.litmus" 2>&1; echo "status $?"; }
rest=$(printf '{ x=0; }\n P0@cta $0 ;\n st.$1 x, 1 ;\n ld r0, x ;\n')
ask='exists (0:r0=1)'
printf 'PTX named+$1\n%s\n%s\n$$\n# a comment\n0|weak\n\n 1 | relaxed.gpu \n' "$rest" "$ask" | show named
printf 'PTX numbered\nExpect=ptx:$2\n%s\n%s\n$$\n0 | weak | Always\n1 | relaxed.gpu | Never\n' "$rest" "$ask" |
  show numbered
printf 'CUDA cpp+$0\n{ x=0; }\n P0@cta 0 ;\n x.store(1, $0, device) ;\nexists (x=1)\n$$\nrelaxed\nrelease\n' |
  show cuda
printf 'PTX dollar\n{ x=0; }\n P0@cta $0 ;\n $L: st x, 1 ;\nexists (x=1)\n$$\n0\n' | show dollar
printf 'PTX wrong\n%s\n%s\n$$\n0 | weak\n1 | weka\n0\n0 | weak | more\n' "$rest" "$ask" | show wrong
printf 'PTX same+$0\n%s\n%s\n$$\n0 | weak\n0 | relaxed.gpu\n' "$rest" "$ask" | show same-name
printf 'PTX empty\n%s\n%s\n$$\n' "$rest" "$ask" | show no-rows
printf 'PTX two\n%s\n%s\n$$\n0 | weak\n$$\n' "$rest" "$ask" | show two-tables
printf 'PTX above\n%s\n%s extra\n$$\n0 | weak\n1 | weak\n' "$rest" "$ask" | show wrong-above
