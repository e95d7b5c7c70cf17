#include "coverage.h"

#include <stdio.h>
#include <string.h>

#include "litmus/litmus.h"

void coverage_init(struct coverage *coverage, struct arena *arena) {
  *coverage = (struct coverage){0};
  coverage->opcodes = ARENA_ARRAY(arena, uint64_t, table_opcode_count());
  coverage->words = ARENA_ARRAY(arena, uint64_t, table_opcode_count() * table_word_count());
}

static uint64_t *word_count(const struct coverage *coverage, uint32_t opcode, uint32_t word) {
  return &coverage->words[opcode * table_word_count() + word];
}

static uint32_t find_opcode(const char *opcode) {
  uint32_t at = 0;
  while (at < table_opcode_count() && strcmp(table_row(at)->opcode, opcode) != 0) at++;
  return at;
}

static void add_instr(struct coverage *coverage, const struct litmus_instr *instr, bool *seen) {
  uint32_t opcode = find_opcode(instr->opcode.text);
  if (opcode == table_opcode_count()) return;
  coverage->instrs++;
  coverage->guarded += instr->guard != NULL;
  seen[opcode] = true;
  for (const struct litmus_word *q = instr->qualifiers.first; q; q = q->next)
    for (uint32_t word = 0; word < table_word_count(); word++)
      if (table_takes(table_row(opcode), table_word(word)) && strcmp(table_word(word)->spelling, q->text) == 0)
        ++*word_count(coverage, opcode, word);
}

void coverage_add(struct coverage *coverage, const char *text) {
  struct arena arena;
  arena_init(&arena, NULL);
  struct intern names;
  struct diags diags;
  intern_init(&names, &arena);
  diags_init(&diags, &arena);
  struct source source = source_from_text("generated.litmus", text, strlen(text));
  const struct litmus_test *test = litmus_parse(&arena, &names, &diags, &source);
  bool *seen = ARENA_ARRAY(&arena, bool, table_opcode_count());
  for (const struct litmus_row *row = test ? test->rows : NULL; row; row = row->next)
    for (const struct litmus_cell *cell = row->cells; cell; cell = cell->next)
      if (cell->instr) add_instr(coverage, cell->instr, seen);
  for (uint32_t opcode = 0; opcode < table_opcode_count(); opcode++) coverage->opcodes[opcode] += seen[opcode];
  coverage->tests += test != NULL;
  arena_release(&arena);
}

static void print_words(const struct coverage *coverage, uint32_t opcode, bool covered) {
  const char *before = covered ? "   " : "\n             never:  ";
  for (uint32_t word = 0; word < table_word_count(); word++) {
    uint64_t count = *word_count(coverage, opcode, word);
    if (!table_takes(table_row(opcode), table_word(word)) || (count > 0) != covered) continue;
    printf("%s%s", before, table_word(word)->spelling);
    if (covered) printf(" %llu", (unsigned long long)count);
    before = covered ? ", " : " ";
  }
}

bool coverage_print(const struct coverage *coverage) {
  uint32_t missing = 0;
  uint64_t taken = 0, met = 0;
  printf("opcode, tests that have it, and instructions with each word the table has for it:\n");
  for (uint32_t opcode = 0; opcode < table_opcode_count(); opcode++) {
    printf("%-22s %8llu", table_row(opcode)->opcode, (unsigned long long)coverage->opcodes[opcode]);
    print_words(coverage, opcode, true);
    print_words(coverage, opcode, false);
    putchar('\n');
    missing += coverage->opcodes[opcode] == 0;
    for (uint32_t word = 0; word < table_word_count(); word++) {
      taken += table_takes(table_row(opcode), table_word(word));
      met += *word_count(coverage, opcode, word) > 0;
    }
  }
  printf("%llu tests with %llu instructions, %llu of them guarded; %llu of %llu words, and %u of %u opcodes\n",
         (unsigned long long)coverage->tests, (unsigned long long)coverage->instrs,
         (unsigned long long)coverage->guarded, (unsigned long long)met, (unsigned long long)taken,
         table_opcode_count() - missing, table_opcode_count());
  return missing == 0;
}
