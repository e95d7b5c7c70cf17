# A part of other models is no model by itself: the message names those that it is a part of.
try --quiet --model cuda tests/golden/tests/SB.litmus
try --quiet --model models/cuda.cat tests/golden/tests/SB.litmus
