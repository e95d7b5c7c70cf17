#include <inttypes.h>

#include "litmus/cuda.h"

static const char *compare_text(enum compare compare) {
  static const char *const texts[] = {"=", "!=", "<", "<=", ">", ">="};
  return texts[compare];
}

static void print_index(uint32_t number, struct text *out) { text_value(out, number, 32, false); }

static void print_number(const struct litmus_number *number, struct text *out) {
  if (number->negative) text_char(out, '-');
  if (number->text) text_add(out, number->text);
  else text_value(out, number->value, 128, false);
}

static void print_ref(const struct litmus_ref *ref, struct text *out) {
  if (ref->owner == LITMUS_OWNER_THREAD) {
    print_index(ref->thread, out);
    text_char(out, ':');
  }
  if (ref->owner == LITMUS_OWNER_CTA && ref->has_gpu) text_printf(out, "gpu%u.", ref->gpu);
  if (ref->owner == LITMUS_OWNER_CTA) text_printf(out, "cta%u:", ref->cta);
  if (ref->percent && ref->owner == LITMUS_OWNER_NONE) text_char(out, '%');
  text_add(out, ref->name);
  if (ref->has_index) text_printf(out, "[%u]", ref->index);
  if (ref->offset) text_printf(out, "%+lld", (long long)ref->offset);
}

static void print_words(const struct litmus_words *words, const char *after, struct text *out) {
  LIST_EACH (word, words->first) {
    text_add(out, word->text);
    text_add(out, after);
  }
}

static void print_value(const struct litmus_value *value, struct text *out) {
  if (value->is_address) print_ref(&value->ref, out);
  else print_number(&value->number, out);
}

static void print_map(const struct litmus_map *map, struct text *out) {
  text_printf(out, ", %s", map->type.text);
  for (enum litmus_map_list k = 0; k < MAP_LISTS; k++) {
    if (map->of[k].count) text_printf(out, ", %s", litmus_map_word(k));
    for (uint32_t i = 0; i < map->of[k].count; i++) text_printf(out, " %" PRId64, map->of[k].list[i]);
  }
}

static void print_values(const struct litmus_entry *entry, struct text *out) {
  if (!entry->values) return;
  text_add(out, entry->braces ? "={" : "=");
  LIST_EACH (value, entry->values) {
    print_value(value, out);
    if (value->next) text_char(out, ',');
  }
  if (entry->map) print_map(entry->map, out);
  if (entry->braces) text_char(out, '}');
}

static void print_entry(const struct litmus_entry *entry, struct text *out) {
  if (entry->launch) {
    text_printf(out, "grid %u %s grid %u;\n", entry->launch->grid, entry->launch->how.text, entry->launch->other);
    return;
  }
  print_words(&entry->qualifiers, " ", out);
  if (entry->scope) litmus_cuda_print_type(entry, out);
  else print_words(&entry->types, " ", out);
  print_ref(&entry->ref, out);
  if (entry->is_array) text_char(out, '[');
  if (entry->has_count) text_printf(out, "%u", entry->count);
  if (entry->is_array) text_char(out, ']');
  if (entry->alias_kind) text_printf(out, " @ %s", entry->alias_kind->text);
  if (entry->alias_of) text_printf(out, " aliases %s", entry->alias_of->text);
  print_values(entry, out);
  text_add(out, ";\n");
}

static void print_operands(const struct litmus_operand *operands, const char *separator, struct text *out) {
  LIST_EACH (operand, operands) {
    litmus_print_operand(operand, out);
    if (operand->next) text_add(out, separator);
  }
}

/* Recursion is safe, because the parser's stack bounds the nesting of vectors. */
void litmus_print_operand(const struct litmus_operand *operand, struct text *out) {
  static const char *const before[] = {"", "", "[", "[", "{", "!", "", "", "(", "["};
  static const char *const after[] = {"", "", "]", "]", "}", "", "", "", ")", "]"};
  text_add(out, before[operand->kind]);
  switch (operand->kind) {
    case LITMUS_NUMBER:
    case LITMUS_ABSOLUTE: print_number(&operand->u.number, out); break;
    case LITMUS_NAME:
    case LITMUS_BRACKET:
    case LITMUS_NEGATED: print_ref(&operand->u.ref, out); break;
    case LITMUS_VECTOR:
    case LITMUS_LIST: print_operands(operand->u.items, ",", out); break;
    case LITMUS_PAIR: print_operands(operand->u.items, "|", out); break;
    case LITMUS_SPECIAL: print_words(&operand->u.words, "", out); break;
    case LITMUS_TENSOR:
      print_ref(&operand->u.tensor.ref, out);
      text_add(out, ", {");
      print_operands(operand->u.tensor.items, ",", out);
      text_char(out, '}');
      break;
  }
  if (operand->more) text_add(out, ",");
  print_operands(operand->more, ",", out);
  text_add(out, after[operand->kind]);
  print_words(&operand->suffix, "", out);
}

void litmus_print_instr(const struct litmus_instr *instr, struct text *out) {
  if (instr->cuda) {
    litmus_cuda_print(instr, out);
    return;
  }
  if (instr->guard) text_printf(out, "@%s%s ", instr->guard_negated ? "!" : "", instr->guard->text);
  const struct litmus_operand *operands = instr->operands;
  if (instr->assigns) {
    litmus_print_operand(operands, out);
    text_add(out, " = ");
    operands = operands->next;
  }
  text_add(out, instr->opcode.text);
  print_words(&instr->qualifiers, "", out);
  if (!operands && !instr->call) return;
  text_add(out, instr->call ? "(" : " ");
  print_operands(operands, ", ", out);
  if (instr->call) text_char(out, ')');
}

static void print_cell(const struct litmus_cell *cell, struct text *out) {
  LIST_EACH (label, cell->labels) text_printf(out, "%s: ", label->text);
  if (!cell->instr) return;
  litmus_print_instr(cell->instr, out);
  if (cell->instr->note) text_printf(out, " (* %s *)", cell->instr->note);
}

static void print_threads(const struct litmus_test *test, struct text *out) {
  LIST_EACH (thread, test->threads) {
    text_char(out, ' ');
    text_add(out, thread->name.text);
    LIST_EACH (level, thread->levels) {
      text_char(out, level == thread->levels ? '@' : ',');
      text_add(out, test->cuda ? litmus_cuda_level(level->key.text) : level->key.text);
      text_char(out, ' ');
      print_index(level->number, out);
    }
    text_add(out, thread->next ? " |" : " ;\n");
  }
}

static void print_rows(const struct litmus_test *test, struct text *out) {
  LIST_EACH (row, test->rows)
    LIST_EACH (cell, row->cells) {
      text_char(out, ' ');
      print_cell(cell, out);
      text_add(out, cell->next ? " |" : " ;\n");
    }
}

static void print_term(const struct litmus_term *term, struct text *out) {
  if (term->kind == LITMUS_TERM_NUMBER) {
    print_number(&term->number, out);
    return;
  }
  if (term->kind == LITMUS_TERM_ADDRESS) text_char(out, '&');
  if (term->kind == LITMUS_TERM_CONTENT) text_char(out, '[');
  print_ref(&term->ref, out);
  if (term->kind == LITMUS_TERM_CONTENT) text_char(out, ']');
}

/* True if a part binds less tightly than its context, or if its chain would merge with the one around it. */
static bool needs_parentheses(const struct litmus_cond *part, enum litmus_cond_kind parent) {
  if (part->kind == LITMUS_COMPARE) return parent == LITMUS_NOT;
  if (part->kind == LITMUS_NOT) return false;
  return !(parent == LITMUS_OR && part->kind == LITMUS_AND);
}

void litmus_print_cond(const struct litmus_cond *cond, struct text *out) {
  if (cond->kind == LITMUS_COMPARE) {
    print_term(cond->a, out);
    text_add(out, compare_text(cond->compare));
    print_term(cond->b, out);
    return;
  }
  if (cond->kind == LITMUS_NOT) text_char(out, '~');
  LIST_EACH (part, cond->parts) {
    bool parentheses = needs_parentheses(part, cond->kind);
    if (parentheses) text_char(out, '(');
    litmus_print_cond(part, out);
    if (parentheses) text_char(out, ')');
    if (part->next) text_add(out, cond->kind == LITMUS_AND ? " /\\ " : " \\/ ");
  }
}

static void print_tail(const struct litmus_test *test, struct text *out) {
  static const char *const quantifiers[] = {"exists", "~exists", "forall", "safe", "in-turns"};
  if (test->locations) text_add(out, "locations [");
  LIST_EACH (term, test->locations) {
    print_term(term, out);
    text_add(out, term->next ? "; " : ";]\n");
  }
  if (test->filter) {
    text_add(out, "filter (");
    litmus_print_cond(test->filter, out);
    text_add(out, ")\n");
  }
  text_add(out, quantifiers[test->quantifier]);
  if (test->condition) {
    text_add(out, " (");
    litmus_print_cond(test->condition, out);
    text_char(out, ')');
  }
  text_char(out, '\n');
}

void litmus_print(const struct litmus_test *test, struct text *out) {
  text_printf(out, "%s %s\n", test->cuda ? "CUDA" : "PTX", test->name);
  LIST_EACH (doc, test->docs) text_printf(out, "\"%s\"\n", doc->text);
  LIST_EACH (key, test->keys) text_printf(out, "%s=%s\n", key->key, key->value);
  text_add(out, "{\n");
  LIST_EACH (entry, test->entries) print_entry(entry, out);
  text_add(out, "}\n");
  print_threads(test, out);
  print_rows(test, out);
  print_tail(test, out);
}
