# Weak accesses, a scope that leaves out the other thread, another proxy, mixed sizes, no race, a model without races.
try races litmus/classic/SB+weak.litmus litmus/scopes/MP+release.gpu+acquire.cta.litmus
try races litmus/proxies/MP+gen+texture.litmus litmus/mixed-size/MP+u64+u32+racy.litmus
try races --model ptx,sc litmus/classic/MP.litmus
try races --format=json litmus/classic/SB+weak.litmus
