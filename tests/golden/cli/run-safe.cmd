# A question about safety has no outcome that a run could show.
ptxlit run litmus/cluster/dsmem+barrier-at-end.litmus -o "$T/program"
grep -o '"left_out":"[^"]*"' "$T/program/manifest.jsonl"
