try --quiet --model ptx,ptx-7.5,ptx-6.0,sc,tso,coherence tests/golden/tests
