# What is no result is told with its place; the lines that are right still count.
try observe
try observe $T/absent
: >$T/empty && try observe $T/empty
cat >$T/wrong.jsonl <<'END'
no JSON
[]
{"format":2}
{"format":1,"test":"t"}
{"format":1,"test":"t","hash":"0","text":"PTX t","runs":1}
{"format":1,"test":"t","hash":"0","text":"PTX t","runs":1,"unfinished":0,"ended":"done","outcomes":[]}
{"format":1,"test":"t","hash":"0","text":"PTX t","device":"d","driver":"","compiler":"","flags":"","runs":2,"unfinished":0,"ended":"done","outcomes":[{"state":"x=0;","count":1}]}
{"format":1,"test":"t","hash":"0","text":"PTX t","device":"d","driver":"","compiler":"","flags":"","runs":1,"unfinished":0,"ended":"late","outcomes":[{"state":"x=0;","count":1}]}
{"format":1,"test":"t","hash":"0","text":"PTX t","device":"d","driver":"","compiler":"","flags":"","runs":9223372036854775807,"unfinished":0,"ended":"done","outcomes":[{"state":"x=0;","count":9223372036854775807}]}
{"format":1,"test":"u","hash":"1","text":"PTX u\n{ x=0; }\n P0@cta 0 ;\n st x, 1 ;\nexists (x=1)","device":"d","driver":"","compiler":"","flags":"","runs":1,"unfinished":0,"ended":"done","outcomes":[{"state":"x=1;","count":1}]}
END
try observe $T/wrong.jsonl
