# Every message about a test in nvlitmus' format: rows have lines of their own.
show() { cat >"$T/$1.test"; echo "# $1"; ptxlit "$T/$1.test" 2>&1; echo "status $?"; }
thread='d0.b0.t0 { st [x], 1; ld r0, [x]; }'
cond='permit (r0 == 1) as seen;'
printf '.global x;\n%s\n%s\n' "$thread" "$cond" | show right
printf '.global x;\nd0.b0.t0 { $0 [x], 1; ld r0, [x]; }\n%s\n$$\nst | extra\n\nst.realxed\nst\n' "$cond" | show rows
printf '.global x;\n%s\n%s\n$$\n' "$thread" "$cond" | show empty-table
printf '.global x;\n%s\n%s\n$$\nst\n$$\n' "$thread" "$cond" | show two-tables
printf '.global x;\nd0.b0.t0 { $0 [x], 1; }\n' | show no-table
printf '.global x;\nd0.b0.t0 { $3 [x], 1; }\n$$\nst | ld\n' | show column
printf '.global x;\n%s\n' "$thread" | show no-command
printf '.global x;\n%s\nd0.b0.t0 { ld r1, [x]; }\n%s\n' "$thread" "$cond" | show same-thread
printf '.global x;\nd0.t0.b0 { ld r0, [x]; }\n%s\n' "$cond" | show placement
printf '.local x;\n.surfref s;\n.global y virtually aliases x;\n%s\n%s\n' "$thread" "$cond" | show declarations
printf '.global x;\nd0.b0.t0 { ld r0, [x]; ld r0, [x]; }\n%s\n' "$cond" | show written-twice
printf '.global x;\nd0.b0.t0 { ld r0, [x]; st [x], r1; st [x], r2; }\nd0.b1.t0 { ld r1, [x]; }\n%s\n' "$cond" |
  show reads
printf '.global x;\nd0.b0.t0 { st [x], r0; ld r0, [x]; }\n%s\n' "$cond" | show read-before
printf '.global x;\nd0.b0.t0 { st [x], 1 == 1; ld r0, [x]; }\n%s\n' "$cond" | show assumption
printf '.global x;\n%s\npermit (r7 == 1) as seen;\n' "$thread" | show condition
printf '.global x;\n%s\n%s\nassert (r0 == 1) as seen;\n' "$thread" "$cond" | show same-command
printf '.global x;\n%s\npermit (r0 = 1) as seen;\nassert r0;\n' "$thread" | show syntax
printf '.global x;\nd0.b0.t0 { st [x], 1;\n' | show unclosed
printf '.global x;\nd0.b0.t0 { st \001 [x], 1; }\n' | show junk
printf '.global x;\nd0.b0.t0 { ld.acquire r0, [x]; }\n%s\n' "$cond" | show no-scope
