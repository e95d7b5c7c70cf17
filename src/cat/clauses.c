#include "cat/model.h"

static const struct cat_clause clauses[] = {
#define CLAUSE(name, section, title, rule, missing, cure, gap) {name, section, title, rule, missing, cure, gap, false},
#define RACE(name, section, title, rule, missing, cure, gap) {name, section, title, rule, missing, cure, gap, true},
#include "cat/clauses.def"
#undef RACE
#undef CLAUSE
};

const struct cat_clause *cat_clause(const char *name) {
  return ARRAY_FIND(e, clauses, ARRAY_LEN(clauses), strcmp(e->name, name) == 0);
}
