#include "cat/model.h"

static const struct {
  const char *name, *meaning;
  unsigned traits;
} builtins[] = {
#define SET(id, name, meaning) [CAT_SET_##id] = {name, meaning, 0},
#define REL(id, name, needs, bounds, traits, meaning) [CAT_REL_##id] = {name, meaning, traits},
#define REL_OPEN(id, name, needs, bounds, member, depends, traits, meaning) [CAT_REL_##id] = {name, meaning, traits},
#include "cat/builtin.def"
};

static const struct {
  enum cat_builtin builtin;
  const char *name;
} aliases[] = {
#define SET_ALIAS(id, name) {CAT_SET_##id, name},
#define REL_ALIAS(id, name) {CAT_REL_##id, name},
#include "cat/builtin.def"
};

const struct cat_operator *cat_operator(enum cat_op op) {
  static const struct cat_operator operators[] = {
#define OPERATOR(id, name, shape, operands, kinds, falls, through)                                                     \
  [CAT_##id] = {name, shape, operands, kinds, falls, through},
#include "cat/operators.def"
  };
  REQUIRE((size_t)op < ARRAY_LEN(operators));
  return &operators[op];
}

const char *builtin_name(enum cat_builtin builtin) {
  REQUIRE(builtin < CAT_BUILTIN_COUNT);
  return builtins[builtin].name;
}

const char *builtin_meaning(enum cat_builtin builtin) {
  REQUIRE(builtin < CAT_BUILTIN_COUNT);
  return builtins[builtin].meaning;
}

bool builtin_has(enum cat_builtin builtin, enum cat_trait trait) {
  REQUIRE(builtin < CAT_BUILTIN_COUNT);
  return builtins[builtin].traits & trait;
}

bool builtin_is_set(enum cat_builtin builtin) {
  REQUIRE(builtin < CAT_BUILTIN_COUNT);
  return builtin < CAT_SET_COUNT;
}

enum cat_builtin builtin_find(const char *name) {
  for (unsigned i = 0; i < CAT_BUILTIN_COUNT; i++)
    if (base_same(builtins[i].name, name)) return (enum cat_builtin)i;
  for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
    if (base_same(aliases[i].name, name)) return aliases[i].builtin;
  return CAT_BUILTIN_COUNT;
}
