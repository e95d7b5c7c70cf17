/* The forms of matrix instructions: checks the qualifiers of an instruction against the rows of isa.def, which list the
 * valid combinations of types and layouts. */
#include "ptx/isa.h"
#include "ptx/matrix.h"

enum { MOST_WORDS = 16 };

static const struct {
  const char *opcode, *dots;
} forms[] = {
#define PTX_MATRIX(opcode, dots) {opcode, dots},
#include "ptx/isa.def"
#undef PTX_MATRIX
};

/* The words of an instruction, and the words that parts of the form have matched. */
struct matching {
  const char *words[MOST_WORDS];
  bool taken[MOST_WORDS];
  uint32_t count, last; /* last: the index of the last matched type or layout, plus 1 */
};

/* True for types and layouts, whose order counts: .row, .col, and words that end in a digit but shapes and counts. */
static bool is_ordered(const char *word) {
  char end = word[strlen(word) - 1];
  bool digit = end >= '0' && end <= '9';
  bool counts = word[1] == 'x' || word[1] == 'm' || word[1] == 'k';
  return (digit && !counts) || strcmp(word, ".row") == 0 || strcmp(word, ".col") == 0;
}

/* Matches one part of a form with the first remaining word that is among the part's words. False: there is none. */
static bool take(struct matching *m, const char *part, size_t length) {
  for (uint32_t i = 0; i < m->count; i++) {
    size_t own = strlen(m->words[i]);
    if (m->taken[i] || (is_ordered(m->words[i]) && i + 1 <= m->last)) continue;
    for (size_t at = 0; at + own <= length; at++) {
      char end = at + own < length ? part[at + own] : ' ';
      if (strncmp(part + at, m->words[i], own) != 0 || end != ' ') continue;
      m->taken[i] = true;
      if (is_ordered(m->words[i])) m->last = i + 1;
      return true;
    }
  }
  return part[0] == '-';
}

/* The length of the first part, without its parentheses: one word, or alternatives. */
static size_t part_length(const char *dots, bool *grouped) {
  *grouped = dots[0] == '(';
  return *grouped ? strcspn(dots, ")") - 1 : 1 + strcspn(dots + 1, ".(");
}

/* The number of words that fit the form; UINT32_MAX: the instruction has the form. */
static uint32_t matches(const char *dots, struct matching m) {
  uint32_t fit = 0;
  bool right = true, grouped;
  for (size_t length; *dots; dots += length + (grouped ? 2 : 0)) {
    length = part_length(dots, &grouped);
    right = take(&m, dots + grouped, length) && right;
  }
  for (uint32_t i = 0; i < m.count; i++) fit += m.taken[i];
  return right && fit == m.count ? UINT32_MAX : fit;
}

bool isa_has_form(struct diags *diags, const struct litmus_instr *instr) {
  struct matching m = {.count = 0};
  const char *best = NULL;
  uint32_t most = 0, words = 0;
  for (const struct litmus_word *word = instr->qualifiers.first; word; word = word->next, words++)
    if (m.count < MOST_WORDS) m.words[m.count++] = word->text;
  for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
    if (strcmp(forms[i].opcode, instr->opcode.text) != 0) continue;
    uint32_t fit = matches(forms[i].dots, m);
    if (fit == UINT32_MAX && words == m.count) return true;
    if (!best || fit > most) best = forms[i].dots, most = fit;
  }
  return !best ||
         diag_refuse(diags, DIAG_MISSING_QUALIFIER, instr->opcode.span,
                     "PTX has no such form of '%s'" HINT "write one qualifier from each group in parentheses: %s%s",
                     instr->opcode.text, instr->opcode.text, best);
}

/* Marks, by what must come: words of no instruction of PTX. */
static const char *const marks[] = {
    [ALIGNED_BARRIER] = ".barrier", [ALIGNED_WARP] = ".warp", [ALIGNED_WARPGROUP] = ".warpgroup"};

bool aligned_is_mark(const struct litmus_instr *ast) {
  bool numbered = ast->operands && ast->operands->kind == LITMUS_NUMBER;
  return numbered && strcmp(ast->opcode.text, "pmevent") == 0 && litmus_has_word(&ast->qualifiers, ".aligned");
}

const char *aligned_mark(enum aligned aligned, struct arena *arena) {
  return arena_printf(arena, "pmevent.aligned%s", marks[aligned]);
}

enum aligned aligned_of(const struct litmus_instr *ast) {
  const char *opcode = ast->opcode.text;
  bool word = litmus_has_word(&ast->qualifiers, ".aligned");
  for (unsigned i = ALIGNED_BARRIER; i < ARRAY_LEN(marks) && aligned_is_mark(ast); i++)
    if (litmus_has_word(&ast->qualifiers, marks[i])) return (enum aligned)i;
  if (strcmp(opcode, "bar") == 0) return litmus_has_word(&ast->qualifiers, ".warp") ? ALIGNED_NOT : ALIGNED_BARRIER;
  if (strcmp(opcode, "barrier") == 0) return word ? ALIGNED_BARRIER : ALIGNED_NOT;
  return !word ? ALIGNED_NOT : strcmp(opcode, "wgmma") == 0 ? ALIGNED_WARPGROUP : ALIGNED_WARP;
}

static bool has_words(const struct litmus_words *all, const struct litmus_words *of) {
  return EVERY(LIST_EACH (word, of->first), litmus_has_word(all, word->text));
}

static bool are_alike(const struct instr *a, const struct instr *b) {
  bool marks_a = aligned_is_mark(a->ast), marks_b = aligned_is_mark(b->ast);
  if (a->aligned != b->aligned || marks_a != marks_b) return false;
  if (marks_a) return a->ast->operands->u.number.value == b->ast->operands->u.number.value;
  const struct litmus_words *of_a = &a->ast->qualifiers, *of_b = &b->ast->qualifiers;
  if (a->aligned != ALIGNED_BARRIER)
    return strcmp(a->ast->opcode.text, b->ast->opcode.text) == 0 && has_words(of_a, of_b) && has_words(of_b, of_a);
  const struct barrier *x = a->barrier, *y = b->barrier;
  if (!x || !y) return a->ast == b->ast; /* not modelled: nothing is known of its barrier */
  return x->kind == y->kind && x->action == y->action && x->relaxed == y->relaxed && x->reduction == y->reduction &&
         x->id.kind == y->id.kind && x->id.imm == y->id.imm;
}

uint32_t aligned_ordinal(const struct instr *earlier, uint32_t count, const struct instr *instr) {
  return COUNT(for (uint32_t i = 0; i < count && instr->aligned && !aligned_is_mark(instr->ast); i++),
               earlier[i].aligned && are_alike(&earlier[i], instr));
}

bool aligned_same(const struct thread *a, uint32_t x, const struct thread *b, uint32_t y) {
  return are_alike(&a->instrs[x], &b->instrs[y]) && a->instrs[x].ordinal == b->instrs[y].ordinal;
}
