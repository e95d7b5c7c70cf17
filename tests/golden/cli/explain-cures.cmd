# What explain says would order a path does: each cure by hand, and the verdict after it.
missing() { ptxlit explain "litmus/$1.litmus" | sed -n '/^Steps of this cycle/,/^$/p'; }
cured() { # TEST SED-SCRIPT
  missing "$1"
  sed -e '/^Expect=/d' -e "$2" "litmus/$1.litmus" >"$T/cured.litmus"
  ptxlit --quiet "$T/cured.litmus" | cut -d' ' -f1-5
  echo
}
cured scopes/MP+cta+other-cta 's/\(release\|acquire\)\.cta/\1.gpu/'                    # both scopes are too narrow
cured acquire-release/WAR+relaxed 's/st.relaxed.gpu flag/st.release.gpu flag/
s/ld.relaxed.gpu r1, flag/ld.acquire.gpu r1, flag/'
cured loops/lock-cas.cta 's/\.cta/.gpu/g'                                              # the handover, not a fence.sc
cured loops/lock-cas+weak-unlock 's/st.weak m, 0/st.release.gpu m, 0/g'
cured aliases/CoRR+alias 's/^\(.*\) ld.relaxed.gpu r1, y/ | fence.proxy.alias ;\n&/'   # between the reader's accesses
cured aliases/alias+surface+surface-fence-only 's/^ fence.proxy.surface/ fence.proxy.alias ;\n&/'
ptxlit explain litmus/aliases/CoWW+alias.litmus | grep 'to order'
ptxlit explain litmus/proxies/CoWW+gen+surface.litmus | grep 'to order'
ptxlit explain litmus/aliases/MP+alias-of-flag.litmus | grep 'to order'
ptxlit explain litmus/loops/lock-ticket.cta.litmus | sed -n '3,15p'                    # two tickets of one number
ptxlit explain litmus/loops/counter-barrier+relaxed-wait.litmus | grep 'to order'       # still to release
