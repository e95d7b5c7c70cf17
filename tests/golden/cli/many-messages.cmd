# More mistakes than are shown.
{
  echo 'PTX many'
  echo '{ x=0; }'
  echo ' P0@cta 0,gpu 0 ;'
  awk 'BEGIN { for (i = 0; i < 50; i++) print " ld.weak r0, nowhere" i " ;" }'
  echo 'exists (0:r0=0)'
} >"$T/many.litmus"
ptxlit "$T/many.litmus" 2>&1 | tail -n 2
