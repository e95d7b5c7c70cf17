# What is no result is told with its place; the lines that are right still count.
try observe
try observe $T/absent
: >$T/empty && try observe $T/empty
on='"device":"d","driver":"","compiler":"","flags":""'
t='{"format":1,"test":"t","hash":"0","text":"PTX t"'
u='PTX u\n{ x=0; }\n P0@cta 0 ;\n st x, 1 ;\nexists (x=1)'
one='"outcomes":[{"state":"x=0;","count":1}]}'
most=9223372036854775807
cat >$T/wrong.jsonl <<END
no JSON
[]
{"format":2}
{"format":1,"test":"t"}
$t,"runs":1}
$t,"runs":1,"unfinished":0,"ended":"done","outcomes":[]}
$t,$on,"runs":2,"unfinished":0,"ended":"done",$one
$t,$on,"runs":1,"unfinished":0,"ended":"late",$one
$t,$on,"runs":$most,"unfinished":0,"ended":"done","outcomes":[{"state":"x=0;","count":$most}]}
{"format":1,"test":"u","hash":"1","text":"$u",$on,"runs":1,"unfinished":0,"ended":"done",$one
END
try observe $T/wrong.jsonl
