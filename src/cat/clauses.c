#include "cat/model.h"

static const struct cat_clause clauses[] = {
#define CLAUSE(name, section, title, rule, missing, cure, gap) {name, section, title, rule, missing, cure, gap, false},
#define RACE(name, section, title, rule, missing, cure, gap) {name, section, title, rule, missing, cure, gap, true},
#include "cat/clauses.def"
#undef RACE
#undef CLAUSE
};

const struct cat_clause *cat_clause(const char *name) {
  for (size_t i = 0; i < ARRAY_LEN(clauses); i++)
    if (strcmp(clauses[i].name, name) == 0) return &clauses[i];
  return NULL;
}
