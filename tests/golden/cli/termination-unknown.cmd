# What is not modelled is unknown whatever is asked, in every format.
cat >"$T/later.litmus" <<'END'
PTX later
{ x = 0; }
 P0@cta 0            ;
 stackrestore.u32 r0 ;
exists (x=0)
END
for format in --format=text --quiet --format=json; do
  ptxlit --check=termination --progress=obe $format "$T/later.litmus"
  echo "status $?"
done
