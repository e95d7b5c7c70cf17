# Expands constructs that bison lacks. `%include FILE`: rules that several grammars have. `%list LIST ITEM [SEPARATOR]`:
# the rule of a list of at least one item, linked through `next`.
function expand(line, word) {
  split(line, word, " ")
  if (word[1] == "%include") {
    while ((getline line < (dir word[2])) > 0) expand(line)
  } else if (word[1] == "%list") {
    print word[2] ": " word[3] " { $$.first = $$.last = $1; }"
    print "  | " word[2] " " word[4] " " word[3] " { $$ = $1; LIST_ADD($$, $" (word[4] ? 3 : 2) "); } ;"
  } else {
    print line
  }
}
{ expand($0) }
