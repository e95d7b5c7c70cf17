# A smallest test that tells two models apart; none; wrong words.
try distinguish sc tso --instructions ld.weak,st.weak --placements gpu
try distinguish ptx ptx+G14=synchronizes --events 2
try distinguish ptx+G26=complete ptx --proxies alias --scopes gpu --placements gpu --events 3
try distinguish ptx ptx-7.5 --events 3
try distinguish ptx ptx --events 2
try distinguish ptx
try distinguish ptx nope+G1=x --events 2 2>&1 | grep error
try distinguish ptx sc+G1=x --events 2
try distinguish ptx sc --instructions nop
try distinguish sc rc11-scoped
