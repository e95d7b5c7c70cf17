/* Lists the forms of instructions that isa.def has, with ptxlit's answer: accepted or not.
 *
 *   forms BASES N LIMIT one form on each line, with + if ptxlit accepts it, else -
 *
 * BASES has a form to a line, `ld.relaxed.gpu.u32 ta`: opcode and dots, and a letter for each operand (see `operand`).
 * Prints these forms and all that differ from one of them in at most N classes of qualifiers: with another one, none,
 * or a new one; in any number of classes if that makes no more than LIMIT forms of the base. Types are never omitted:
 * tests may do that, PTX may not. isa.def has the classes and qualifiers of each opcode. A line that begins with =
 * stands only for its own form. Every modelled opcode must have a base. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "litmus/litmus.h"
#include "ptx/isa.h"
#include "ptx/lower.h"

#define LOCATIONS                                                                                                      \
  ".pred 0:p0=0; .pred 0:p1=0; .pred 0:p2=0; .pred 0:p3=0; .pred 0:p4=0; .u64 0:rd8=0;\n"                              \
  "x=0; y=0; multimem many={x,y}; tensormap map={x};\n"

enum { LINE_SIZE = 400 };

struct form {
  const struct isa_row *row;
  const char *operands;
  const char *dots[QUALIFIER_CLASSES];       /* by class; NULL where there is none */
  unsigned order[QUALIFIER_CLASSES], placed; /* the classes that the base has, as they stand there */
};

/* For each form anew. */
struct judge {
  struct arena arena;
};

static enum qualifier_class spelled_as(enum qualifier_class kind) {
  return kind == QUALIFIER_SOURCE_TYPE ? QUALIFIER_TYPE : kind;
}

static unsigned width_of(const struct form *form, enum qualifier_class kind) {
  const char *spelling = form->dots[kind];
  enum ptx_type type = spelling ? isa_type_named(spelling) : PTX_TYPES;
  return type == PTX_TYPES ? 32 : isa_type(type).width;
}

static void reg(struct text *out, unsigned width, unsigned number) {
  const char *name = width == 1 ? "p" : width <= 16 ? "rs" : width == 32 ? "r" : width == 64 ? "rd" : "rq";
  text_printf(out, "%%%s%u", name, number);
}

/* t a register of the type, w of twice its width in .wide, s of the second type, u of 32 bits, p a predicate, d of 64
 * bits, b of 16; v a vector of the length in the dots; a an address, M that of a multimem object, T of a tensor map, l
 * a label, n a number, 0 and 4 these, * all ones, | joins with what follows */
static void operand(struct text *out, const struct form *form, char letter, unsigned number) {
  const char *vector = form->dots[QUALIFIER_VECTOR];
  unsigned lanes = vector && vector[1] == 'v' ? (unsigned)atoi(vector + 2) : 0, width = width_of(form, QUALIFIER_TYPE);
  switch (letter) {
    case 'a': text_printf(out, "[%%rd8]"); return;
    case 'M': text_printf(out, "[many]"); return;
    case 'T': text_printf(out, "[map]"); return;
    case 'l': text_printf(out, "L"); return;
    case 'n': text_printf(out, "0x96"); return;
    case '0':
    case '4': text_char(out, letter); return;
    case '*': text_printf(out, "-1"); return;
    case 'u': width = 32; break;
    case 'p': width = 1; break;
    case 'b': width = 16; break;
    case 'd': width = 64; break;
    case 's': width = width_of(form, QUALIFIER_SOURCE_TYPE); break;
    case 'w':
      if (form->dots[QUALIFIER_HALF] && strcmp(form->dots[QUALIFIER_HALF], ".wide") == 0) width *= 2;
      break;
    default: break;
  }
  if (letter != 'v' || lanes == 0) {
    reg(out, width, number);
    return;
  }
  for (unsigned i = 0; i < lanes; i++) {
    text_printf(out, i ? ", " : "{");
    reg(out, width, i);
  }
  text_char(out, '}');
}

/* The classes that ptxas wants first, and in this order. Types come last, others as in the base. */
static const enum qualifier_class first[] = {
    QUALIFIER_PROXY, QUALIFIER_PROXY_KIND, QUALIFIER_MMIO,    QUALIFIER_TO,
    QUALIFIER_CTA,   QUALIFIER_WARP,       QUALIFIER_CLUSTER,
};

static void put_dot(const struct form *form, unsigned kind, bool *done, struct text *out) {
  if (form->dots[kind] && !done[kind]) text_printf(out, "%s", form->dots[kind]);
  done[kind] = true;
}

static void put_dots(const struct form *form, struct text *out) {
  bool done[QUALIFIER_CLASSES] = {[QUALIFIER_TYPE] = true, [QUALIFIER_SOURCE_TYPE] = true};
  for (unsigned i = 0; i < ARRAY_LEN(first); i++) put_dot(form, first[i], done, out);
  for (unsigned i = 0; i < form->placed; i++) put_dot(form, form->order[i], done, out);
  for (unsigned i = 0; i < QUALIFIER_CLASSES; i++) put_dot(form, i, done, out);
  done[QUALIFIER_TYPE] = done[QUALIFIER_SOURCE_TYPE] = false;
  put_dot(form, QUALIFIER_TYPE, done, out);
  put_dot(form, QUALIFIER_SOURCE_TYPE, done, out);
}

static void form_text(const struct form *form, struct text *out) {
  const char *before = " ";
  text_printf(out, "%s", form->row->opcode);
  put_dots(form, out);
  for (unsigned i = 0; form->operands[i]; i++) {
    if (form->operands[i] == '|') {
      before = "|";
      continue;
    }
    text_printf(out, "%s", before);
    operand(out, form, form->operands[i], i);
    before = ", ";
  }
}

static bool taken(struct judge *judge, const char *instr) {
  struct arena_mark mark = arena_mark(&judge->arena);
  struct intern names;
  struct diags diags;
  struct text test;
  struct lower_options options = {0};
  text_init(&test, &judge->arena);
  intern_init(&names, &judge->arena);
  diags_init(&diags, &judge->arena);
  text_printf(&test, "PTX t\n{\n" LOCATIONS "}\n P0@cta 0,gpu 0 ;\n %s ;\n L: ;\nexists (0=0)\n", instr);
  struct source source = source_from_text("form", text_str(&test), strlen(text_str(&test)));
  const struct litmus_test *read = litmus_parse(&judge->arena, &names, &diags, &source);
  bool right = read && lower(&judge->arena, &names, &diags, read, &options);
  arena_rewind(&judge->arena, mark);
  return right;
}

static void tell(struct judge *judge, const struct form *form) {
  struct arena_mark mark = arena_mark(&judge->arena);
  struct text text;
  text_init(&text, &judge->arena);
  form_text(form, &text);
  printf("%c%s\n", taken(judge, text_str(&text)) ? '+' : '-', text_str(&text));
  arena_rewind(&judge->arena, mark);
}

/* The spellings of a class one after the other; NULL past the last one. */
static const char *spelling_at(enum qualifier_class kind, size_t index) {
  for (struct isa_word word = {0}; isa_next_word(&word);)
    if (word.kind == kind && index-- == 0) return word.spelling;
  return NULL;
}

/* All forms that differ in up to `most` classes from this one on. */
static void vary(struct judge *judge, struct form *form, unsigned from, unsigned most) {
  while (from < QUALIFIER_CLASSES && !(form->row->classes >> from & 1)) from++;
  if (from == QUALIFIER_CLASSES) {
    tell(judge, form);
    return;
  }
  vary(judge, form, from + 1, most);
  const char *base = form->dots[from], *other;
  enum qualifier_class kind = spelled_as((enum qualifier_class)from);
  for (unsigned i = 0; most > 0 && (other = spelling_at(kind, i)); i++) {
    form->dots[from] = other;
    if (other != base) vary(judge, form, from + 1, most - 1);
  }
  form->dots[from] = NULL;
  if (most > 0 && base && kind != QUALIFIER_TYPE) vary(judge, form, from + 1, most - 1);
  form->dots[from] = base;
}

/* How many forms differ from it in any number of classes; more than `limit` are not counted. */
static unsigned long product(const struct form *form, unsigned long limit) {
  unsigned long forms = 1;
  for (unsigned kind = 0; kind < QUALIFIER_CLASSES && forms <= limit; kind++) {
    unsigned long spellings = 1;
    while (spelling_at(spelled_as((enum qualifier_class)kind), (unsigned)spellings - 1)) spellings++;
    if (form->row->classes >> kind & 1) forms *= spellings;
  }
  return forms;
}

/* The place of a dot of a base: the first class of the opcode that has it and none yet; the second type comes last. */
static bool place(struct form *form, const char *dot) {
  for (unsigned kind = 0; kind < QUALIFIER_CLASSES; kind++) {
    const char *spelling;
    if (!(form->row->classes >> kind & 1) || form->dots[kind]) continue;
    if (kind == QUALIFIER_SOURCE_TYPE && !form->dots[QUALIFIER_TYPE]) continue;
    for (unsigned i = 0; (spelling = spelling_at(spelled_as((enum qualifier_class)kind), i)); i++) {
      if (strcmp(spelling, dot) != 0) continue;
      form->dots[kind] = spelling;
      form->order[form->placed++] = kind;
      return true;
    }
  }
  return false;
}

/* A line of BASES; it is cut up. */
static bool read_base(char *line, struct form *form) {
  *form = (struct form){0};
  line[strcspn(line, "\n")] = '\0';
  size_t length = strcspn(line, " ");
  bool more = line[length] != '\0';
  line[length] = '\0';
  form->operands = more ? line + length + 1 : "";
  char *dot = strchr(line, '.');
  if (dot) *dot = '\0';
  form->row = isa_find(line);
  while (form->row && dot) {
    char *next = strchr(dot + 1, '.'), word[LINE_SIZE];
    if (next) *next = '\0';
    snprintf(word, sizeof word, ".%s", dot + 1);
    if (!place(form, word)) return false;
    dot = next;
  }
  return form->row != NULL;
}

/* True if each opcode that is modelled is among the bases; but those of matrices by rows, whose qualifiers are not in
 * the table (ptx/rows.c), and of textures, which modules alone may read. */
static bool complete(const bool *seen) {
  bool all = true;
  const struct isa_row *row;
  for (unsigned i = 0; (row = isa_row_at(i)); i++) {
    bool modelled = row->form != FORM_LATER && row->form != FORM_LATER_VALUE && row->form != FORM_NOTHING &&
                    row->form != FORM_ROWS && row->form != FORM_TEXTURE;
    if (!modelled || seen[i]) continue;
    fprintf(stderr, "no base has the opcode %s\n", row->opcode);
    all = false;
  }
  return all;
}

int main(int argc, char **argv) {
  struct judge judge;
  bool seen[1000] = {false};
  char line[LINE_SIZE];
  FILE *bases = argc == 4 ? fopen(argv[1], "r") : NULL;
  if (!bases) {
    fprintf(stderr, "usage: forms BASES N LIMIT\n");
    return 2;
  }
  arena_init(&judge.arena, NULL);
  while (fgets(line, sizeof line, bases)) {
    struct form form;
    unsigned most = line[0] == '=' ? 0 : (unsigned)atoi(argv[2]);
    if (line[0] == '#' || line[0] == '\n') continue;
    if (!read_base(line + (line[0] == '='), &form)) {
      fprintf(stderr, "%s: no opcode of isa.def, or a dot that it does not take\n", line);
      return 2;
    }
    for (unsigned i = 0; isa_row_at(i); i++) seen[i] |= isa_row_at(i) == form.row;
    unsigned long limit = strtoul(argv[3], NULL, 10);
    bool all = line[0] != '=' && product(&form, limit) <= limit;
    vary(&judge, &form, 0, all ? QUALIFIER_CLASSES : most);
  }
  fclose(bases);
  arena_release(&judge.arena);
  return complete(seen) ? 0 : 1;
}
