#include "cli/run.h"

#include <ctype.h>

#include "base/techniques.h"

/* ---- the summary */

enum { HELP_COLUMN = 38 };

static void summary_option(const struct option_row *row) {
  int width = row->letter ? printf("  -%c, --%s", row->letter, row->name) : printf("      --%s", row->name);
  if (row->kind == KIND_MAYBE) width += printf("[=%s]", row->argument);
  else if (*row->argument) width += printf(" %s", row->argument);
  if (width >= HELP_COLUMN) {
    putchar('\n');
    width = 0;
  }
  printf("%*s%s", HELP_COLUMN - width, "", row->help);
  if (*row->initial) printf(" [%s]", row->initial);
  putchar('\n');
}

/* Options for developers have no text in the manual. */
static bool taken(const struct option_row *row, unsigned verbs) {
  return !row->group && (row->verbs & verbs) != 0 && *row->manual;
}

/* True if a verb takes an option of the group whose title is row `at`. */
static bool group_taken(size_t at, unsigned verbs) {
  return SOME(for (size_t i = at + 1; i < option_row_count && !option_rows[i].group; i++),
              taken(&option_rows[i], verbs));
}

static void summary_options(enum verb_id verb) {
  unsigned verbs = 1u << verb;
  for (size_t i = 0; i < option_row_count; i++) {
    if (option_rows[i].group && group_taken(i, verbs)) printf("\n%s:\n", option_rows[i].group);
    else if (taken(&option_rows[i], verbs)) summary_option(&option_rows[i]);
  }
}

static void summary_verbs(void) {
  puts("\nVerbs (ptxlit VERB --help says more):");
  for (size_t i = 0; i < VERB_COUNT; i++) printf("  %-12s%s\n", verb_rows[i].name, verb_rows[i].help);
}

static void summary_statuses(void) {
  puts("\nExit status (for several tests the worst; the list goes from best to worst):");
#define EXIT(status, meaning) printf("  %2d  %s\n", status, meaning);
#include "cli/exit.def"
#undef EXIT
}

#define LAUNCH "MODULE.ptx|FILE.cu 'KERNEL<<<GRID, BLOCK>>>(ARGUMENT, ...)'"

static void print_summary(enum verb_id verb) {
  if (verb < VERB_COUNT) {
    const char *operands = verb_rows[verb].operands, *help = verb_rows[verb].help;
    printf("usage: ptxlit %s [OPTION...]%s%s\n", verb_rows[verb].name, *operands ? " " : "", operands);
    if (verb == VERB_CHECK || verb == VERB_EXPLAIN || verb == VERB_FIX || verb == VERB_RACES)
      printf("       ptxlit %s [OPTION...] " LAUNCH "\n", verb_rows[verb].name);
    printf("%c%s.\n", toupper((unsigned char)help[0]), help + 1);
    summary_options(verb);
    summary_statuses();
    return;
  }
  puts("usage: ptxlit [OPTION...] FILE|DIRECTORY|- ...\n"
       "       ptxlit [OPTION...] " LAUNCH "\n"
       "       ptxlit VERB [OPTION...] ...\n"
       "Decide which final states of PTX litmus tests a memory consistency model allows; check that kernels are safe.");
  summary_verbs();
  summary_options(VERB_CHECK);
  summary_statuses();
  puts("\nOk means that a test's condition holds, No that it does not. Neither changes the exit status. A test states\n"
       "its expected result in a line such as Expect=ptx:Never. The manual has more: man ptxlit.");
}

/* ---- the manual page, in mdoc */

/* One character, escaped if roff would take it for a command. */
static void roff_char(char c, bool line_start) {
  if (line_start && (c == '.' || c == '\'')) fputs("\\&", stdout);
  if (c == '\\') fputs("\\e", stdout);
  else if (c == '-') fputs("\\-", stdout);
  else putchar(c);
}

/* Starts each sentence on a new line, as roff requires, and keeps lines short. */
static void roff_text(const char *text) {
  size_t width = 0;
  for (; *text; text++) {
    bool sentence = *text == ' ' && strchr(".?!", text[-1]) && text[1] >= 'A' && text[1] <= 'Z';
    if (sentence || (*text == ' ' && width + strcspn(text + 1, " ") > 70)) {
      putchar('\n');
      width = 0;
      continue;
    }
    roff_char(*text, width == 0);
    width++;
  }
  putchar('\n');
}

static void roff_code(const char *text) {
  puts(".Bd -literal -offset indent");
  for (; *text; text++) *text == '-' ? fputs("\\-", stdout) : putchar(*text);
  puts(".Ed");
}

static void roff_option(const struct option_row *row) {
  printf(".It ");
  if (row->letter) printf("Fl %c , ", row->letter);
  printf("Fl \\-%s", row->name);
  if (row->kind == KIND_MAYBE) printf(" Ns Op = Ns Ar %s", row->argument);
  else if (*row->argument) printf(" Ar %s", row->argument);
  putchar('\n');
  roff_text(row->manual);
  if (*row->initial) printf("The default is %s.\n", row->initial);
  if ((row->verbs & WITH(CHECK)) != 0) return;
  fputs("Taken by", stdout);
  for (size_t i = 0, first = 1; i < VERB_COUNT; i++)
    if ((row->verbs & 1u << i) != 0) printf("%s %s", first ? "" : ",", verb_rows[i].name), first = 0;
  puts(".");
}

static void roff_verbs(void) {
  puts(".Bl -tag -width Ds");
  for (size_t i = 0; i < VERB_COUNT; i++) {
    printf(".It Nm ptxlit %s%s%s\n", verb_rows[i].name, *verb_rows[i].operands ? " Ar " : "", verb_rows[i].operands);
    roff_text(verb_rows[i].manual);
  }
  puts(".El");
}

/* Each group of options is a list below the group's title. */
static void roff_options(void) {
  bool open = false;
  for (size_t i = 0; i < option_row_count; i++) {
    if (taken(&option_rows[i], WITH_ALL)) roff_option(&option_rows[i]);
    if (!option_rows[i].group || !group_taken(i, WITH_ALL)) continue;
    if (open) puts(".El");
    printf(".Ss %s\n.Bl -tag -width Ds\n", option_rows[i].group);
    open = true;
  }
  if (open) puts(".El");
}

static void roff_statuses(void) {
  puts("With several tests the worst wins, which is the last in this list that applies.\n.Bl -tag -width Ds");
#define EXIT(status, meaning)                                                                                          \
  printf(".It %d\n", status);                                                                                          \
  roff_text(meaning ".");
#undef EXIT
  puts(".El");
}

/* The state of the manual's writer: the next line may begin a list, or end one. */
struct roff {
  bool listing, heading;
};

static void roff_begin(struct roff *roff, bool item) {
  if (roff->listing != item) puts(item ? ".Bl -tag -width Ds" : ".El");
  roff->listing = item;
}

static void roff_section(struct roff *roff, const char *title) {
  roff_begin(roff, false);
  printf(".Sh %s\n", title);
  roff->heading = true;
}

static void roff_paragraph(struct roff *roff, const char *text) {
  roff_begin(roff, false);
  if (!roff->heading) puts(".Pp");
  roff_text(text);
  roff->heading = false;
}

static void roff_item(struct roff *roff, const char *tag, const char *text) {
  roff_begin(roff, true);
  printf(".It ");
  roff_text(tag);
  roff_text(text);
}

static void print_manual(void) {
  puts(".Dd November 20, 2026\n.Dt PTXLIT 1\n.Os\n.Sh NAME\n.Nm ptxlit\n"
       ".Nd decide which outcomes of PTX litmus tests a memory model allows\n"
       ".Sh SYNOPSIS\n.Nm\n.Op Ar option ...\n.Ar file | directory | \\-\n.Ar ...\n"
       ".Nm\n.Ar verb\n.Op Ar option ...\n.Ar ...");
  struct roff roff = {0};
#define SECTION(title) roff_section(&roff, title);
#define PARA(text) roff_paragraph(&roff, text);
#define ITEM(tag, text) roff_item(&roff, tag, text);
#define CODE(text) roff_code(text);
#define SEE(page, section) printf(".Xr %s %s\n", page, section), roff.heading = false;
#define OPTIONS_HERE roff_options();
#define VERBS_HERE roff_verbs();
#define STATUSES_HERE roff_statuses(), roff.heading = false;
#include "cli/manual.def"
#undef SECTION
#undef PARA
#undef ITEM
#undef CODE
#undef SEE
#undef OPTIONS_HERE
#undef VERBS_HERE
#undef STATUSES_HERE
}

void help_developers(void) {
  for (size_t i = 0; i < option_row_count; i++)
    if (!option_rows[i].group && !*option_rows[i].manual) summary_option(&option_rows[i]);
  puts("\nTechniques. Without one there is more work (WORK), or an answer may be unknown (UNKNOWN):");
  for (size_t i = 0; i < TECHNIQUE_COUNT; i++)
    printf("  %-13s%-8s  %s\n", technique_rows[i].name, technique_rows[i].off, technique_rows[i].does);
}

void help_print(const char *what, enum verb_id verb) {
  const char *script = complete_script(what);
  if (script) fputs(script, stdout);
  else if (strcmp(what, "man") == 0) print_manual();
  else print_summary(verb);
}
