# What a directory has under any names, values and scopes that reach as far is left out; other tests there matter not.
mkdir $T/some
cat >$T/some/a.litmus <<'END'
PTX the-later-store-stays
{ data=5; }
 P0@cta 3,gpu 2     ;
 st.weak data, 9    ;
 st.weak data, 0    ;
~exists (data=9)
END
cat >$T/some/b.litmus <<'END'
PTX in-one-cta
{ x=0; }
 P0@cta 0,gpu 0    | P1@cta 0,gpu 0       ;
 st.relaxed.sys x,1 | ld.relaxed.gpu r4, x ;
                   | ld.weak r2, x        ;
forall (~(1:r2=0 /\ 1:r4=1))
END
cp litmus/dependencies/*.litmus $T/some
ptxlit generate --minimal ptx --events 3 --scopes cta,gpu --placements cta,gpu --unless-in $T/some --output $T/less
ls $T/less
ptxlit generate --unless-in $T/nowhere
echo 'PTX wrong' >$T/some/wrong.litmus
ptxlit generate --events 2 --unless-in $T/some
