/* Prints the result of checking a mapping. */
#pragma once

#include "map/rules.h"

struct map_report {
  const struct map_ask *ask;
  const struct map_result *result;
  const char *scopes, *placements, *operations; /* as in the request; NULL operations: all */
};

struct map_rules_report {
  const struct map_table *table;
  const struct generate_ask *ask;
  const struct model *model;
  const struct map_rules_result *result;
  const char *scopes, *placements;
  uint32_t wrong; /* rules with a counterexample */
};
void out_rules(const struct map_rules_report *report, struct text *out);
void out_rules_json(const struct map_rules_report *report, struct text *out);

void out_map(const struct map_report *report, struct text *out);
void out_map_json(const struct map_report *report, struct text *out);
