/* Random command lines, whole runs of the tool: every verb, options of the table options.def with values that fit, that
 * nearly fit and that do not, and as operands a few files, right and wrong ones.
 *
 *   commands [--seed N] [--count N] [--print] TOOL
 *
 * The expectations hold for every run: it ends by itself within SECONDS, with a status of exit.def that is not an
 * internal error; status 2 comes with a message; messages have no control characters; and what stood in the directory
 * and was not named as an output is as it was. A run that breaks this is printed as a line for the shell. The tool may
 * be one that the sanitizers watch: they end it with a status of their own.
 */
#define _GNU_SOURCE /* nftw, mkdtemp */

#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../options.h"
#include "base/base.h"
#include "base/rng.h"
#include "cli/options.h"

enum { SECONDS = 400, MOST_WORDS = 24, MOST_BYTES = 1 << 16 };

#define SB                                                                                                             \
  "PTX SB\nExpect=ptx:Sometimes\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu x, 1 | "           \
  "st.relaxed.gpu y, 1 ;\n ld.relaxed.gpu r0, y | ld.relaxed.gpu r1, x ;\nexists (0:r0=0 /\\ 1:r1=0)\n"

#define TESTS "SB.litmus|spin.litmus|more/MP.litmus|more/SB2.litmus|more|@list"

static const struct input {
  const char *name, *text; /* NULL: a report, which the tool makes */
} inputs[] = {
    {"SB.litmus", SB},
    {"spin.litmus", "PTX spin\n{ x=0; }\n P0@cta 0 | P1@cta 0 ;\n L: | st.weak x, 1 ;\n ld.weak r0, x | ;\n "
                    "setp.eq.u32 p, r0, 0 | ;\n @p bra L | ;\nforall (0:r0=1)\n"},
    {"wrong.litmus", "PTX wrong\n{ x=0; }\n P0@cta 0 ;\n ld.acquire.galaxy r0, x ;\nexists (0:r0=1)\n"},
    {"\033[31mred.litmus", "PTX \033[31m\n{ x\033=0; }\n P0 ;\n st.\033 x, 1 ;\nexists (x=\033)\n"},
    {"empty", ""},
    {"bytes", "\xff\xfe\x01PTX \xc3\x28 {{{ ((( [[[ \"\n"},
    {"own.cat", "\"own\"\nacyclic po | rf | co | fr as order\n"},
    {"wrong.cat", "\"wrong\"\nlet r = (po | [\nacyclic r\ninclude \"own.cat\"\n"},
    {"list", "SB.litmus\nmore\n"},
    {"wanted.csv", "path,result,model\nSB.litmus,Sometimes,ptx\nspin.litmus,\"Al\"\"ways\"\n=1+1,2\n"},
    {"report.json", NULL},
    {"other.json", NULL},
    {"seen", "{\"format\":1,\"test\":\"SB\",\"hash\":\"0\",\"text\":\"PTX SB\\n{ x=0; }\\n P0@cta 0 ;\\n ld r0, x ;\\n"
             "exists (0:r0=0)\\n\",\"device\":\"none\",\"capability\":\"9.0\",\"driver\":\"0\",\"cuda\":\"13.0\","
             "\"compiler\":\"nvcc\",\"flags\":\"\",\"runs\":7,\"seconds\":1,\"unfinished\":0,\"ended\":\"done\","
             "\"outcomes\":[{\"state\":\"0:r0=0;\",\"count\":7}]}\n"},
    {"own.map", "\"own\"\nload relaxed: ld.relaxed.S\nstore relaxed: st.relaxed.S | st.weak\n"},
    {"kernel.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n  ret;\n}\n"},
    {"kernel.litmus", "PTX kernel\nModule=kernel.ptx\n{ x=0; }\n P0@cta 0 ;\n k() ;\nexists (x=1)\n"},
    {"more/MP.litmus", "PTX MP\n{ x=0; y=0; }\n P0@cta 0 | P1@cta 1 ;\n st.weak x, 1 | ld.acquire.gpu r0, y ;\n "
                       "st.release.gpu y, 1 | ld.weak r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n"},
    {"more/SB2.litmus", "PTX SB2\n{ x=0; }\n P0@cta 0 ;\n atom.add.relaxed.gpu.u32 r0, x, 1 ;\nforall (x=1)\n"},
};

static const char *const words[] = {
    "ptx",
    "sc",
    "ptx,sc",
    "ptx+G26=complete",
    "ptx+",
    "own",
    "abi-13",
    "llvm",
    "out",
    "out/deeper/x",
    "-",
    "--",
    "",
    ".",
    "..",
    "nowhere/x",
    "/dev/null",
    "/dev/full",
    "more",
    "*.litmus",
    "@list",
    "@nowhere",
    "1/2",
    "0/0",
    "3/2",
    "1/",
    "2147483649/2147483648",
    "PodWR Fre PodWR Fre",
    "Fre Fre",
    "0:r0=0; 1:r1=0",
    "exists (",
    "cta",
    "gpu,sys",
    "cta,,cta",
    "ld.weak,st.weak",
    "ld.acquire,st.release",
    "bar.sync",
    "data,ctrl",
    "alias",
    "load,store",
    "2,1",
    "9,9",
    "G26=complete",
    "G26",
    "H1=no-relay",
    "po,rf",
    "x\ny",
    "\033[31m",
    "\xff\xfe",
    "=1+1",
    "a b",
    "SB.litmus.part",
};

/* What fits the argument of an option, by its name. */
static const struct fit {
  const char *option, *words;
} fits[] = {
    {"model", "ptx|sc|tso|own.cat|ptx+G26=complete|ptx,sc"},
    {"models", "sc,ptx|own.cat,ptx"},
    {"reading", "G26=complete|H1=no-relay"},
    {"instructions", "ld.weak,st.weak|ld.acquire,st.release|ld,st,atom|bar.sync,ld,st"},
    {"scopes", "gpu|cta,gpu"},
    {"placements", "gpu|cta,gpu"},
    {"proxies", "alias|surface"},
    {"dependencies", "data|ctrl,addr"},
    {"minimal", "ptx|sc"},
    {"expect", "ptx|ptx,sc|wanted.csv|report.json"},
    {"shape", "2,2|1,1"},
    {"operations", "load,store|update seq_cst,store"},
    {"filter", "SB|*P"},
    {"rerun", "report.json"},
    {"shard", "1/2|2/2"},
    {"output", "out|out/deep|more"},
    {"keep", "out"},
    {"show", "po,rf|co"},
    {"title", "A title"},
};

static const struct {
  uint32_t count; /* what fits */
  const char *words;
} operands[VERB_COUNT] = {
    [VERB_CHECK] = {1, TESTS},
    [VERB_SUITE] = {1, TESTS},
    [VERB_EXPLAIN] = {1, TESTS},
    [VERB_CONVERT] = {1, TESTS},
    [VERB_FIX] = {1, TESTS},
    [VERB_RACES] = {1, TESTS},
    [VERB_COMPARE] = {1, TESTS},
    [VERB_GRAPH] = {1, TESTS},
    [VERB_RUN] = {1, TESTS},
    [VERB_DIFF] = {2, "report.json|other.json"},
    [VERB_MERGE] = {1, "report.json"},
    [VERB_MAP] = {1, "own.map|abi-13|llvm"},
    [VERB_DISTINGUISH] = {2, "ptx|sc|tso|own.cat"},
    [VERB_GENERATE] = {0, ""},
    [VERB_OBSERVE] = {1, "seen"},
    [VERB_RECORD] = {0, ""},
    [VERB_LSP] = {0, ""},
};

struct line {
  char *words[MOST_WORDS + 2];
  size_t count;
  const char *made[MOST_WORDS]; /* named as outputs */
  size_t made_count;
};

struct tried {
  struct rng rng;
  const char *tool;
  char *report;
  char dir[64];
  size_t findings, ended[4]; /* with each status of exit.def that is no internal error */
};

/* ---- a command line */

static void add(struct line *line, const char *word) {
  if (line->count < MOST_WORDS) line->words[line->count++] = strdup(word);
}

static const char *some_word(struct rng *rng) {
  static char long_word[600];
  uint32_t pick = rng_below(rng, (uint32_t)(ARRAY_LEN(words) + ARRAY_LEN(inputs) * 3 + 1));
  if (pick < ARRAY_LEN(words)) return words[pick];
  pick -= (uint32_t)ARRAY_LEN(words);
  if (pick < ARRAY_LEN(inputs) * 3) return inputs[pick / 3].name;
  memset(long_word, 'n', sizeof long_word - 1);
  return long_word;
}

static const char *one_of(struct rng *rng, const char *choices) {
  static char word[64];
  size_t count = 1;
  for (const char *c = choices; *c; c++) count += *c == '|';
  for (uint32_t skip = rng_below(rng, (uint32_t)count); skip; skip--) choices += strcspn(choices, "|") + 1;
  snprintf(word, sizeof word, "%.*s", (int)strcspn(choices, "|"), choices);
  return word;
}

static const char *some_number(struct rng *rng, const struct option_row *row) {
  static char word[64];
  static const char *const odd[] = {"-1", "1e3", "0x10", "18446744073709551616", "", " 1", "1.5", "nan", "+1"};
  uint64_t high = row->high < 6 ? row->high : 6, over = row->high + 1,
           values[] = {row->low, row->low + 1, high, high, high, high, high, over};
  if (!rng_below(rng, 12)) return odd[rng_below(rng, (uint32_t)ARRAY_LEN(odd))];
  snprintf(word, sizeof word, "%llu", (unsigned long long)values[rng_below(rng, (uint32_t)ARRAY_LEN(values))]);
  return word;
}

static const char *fitting(struct rng *rng, const struct option_row *row) {
  for (size_t i = 0; i < ARRAY_LEN(fits); i++)
    if (!strcmp(fits[i].option, row->name) && rng_below(rng, 8)) return one_of(rng, fits[i].words);
  return some_word(rng);
}

static const char *some_value(struct rng *rng, const struct option_row *row) {
  if (!rng_below(rng, 30)) return some_word(rng);
  switch (row->kind) {
    case KIND_FLAG: return NULL;
    case KIND_WORD: return one_of(rng, row->argument);
    case KIND_MAYBE: return rng_below(rng, 2) ? one_of(rng, row->argument) : NULL;
    case KIND_NUMBER:
    case KIND_SECONDS: return some_number(rng, row);
    case KIND_LIST:
    case KIND_TEXT: return fitting(rng, row);
  }
  return NULL;
}

static bool names_output(const struct option_row *row) {
  return !strcmp(row->name, "output") || !strcmp(row->name, "keep");
}

static void add_option(struct line *line, struct rng *rng, enum verb_id verb) {
  const struct option_row *row = &option_rows[rng_below(rng, (uint32_t)option_row_count)];
  if (row->group || row->id == OPT_TIMEOUT || row->id == OPT_COLOUR) return; /* colours are control characters */
  if ((row->id == OPT_HELP || row->id == OPT_VERSION) && rng_below(rng, 20)) return;
  if (row->id == OPT_MEMORY) return; /* sanitizers need all of the addresses */
  if (!(row->verbs & 1u << verb) && rng_below(rng, 400)) return;
  char text[800];
  const char *value = some_value(rng, row);
  snprintf(text, sizeof text, value ? "--%s=%s" : "--%s", row->name, value);
  add(line, text);
  if (names_output(row)) line->made[line->made_count++] = line->words[line->count - 1] + strlen(row->name) + 3;
}

static void make_line(struct line *line, struct tried *tried) {
  struct rng *rng = &tried->rng;
  enum verb_id verb = (enum verb_id)rng_below(rng, VERB_COUNT);
  *line = (struct line){.count = 0};
  add(line, tried->tool);
  if (verb != VERB_CHECK) add(line, verb_rows[verb].name);
  for (uint32_t options = rng_below(rng, 24); options; options--)
    if (line->count < MOST_WORDS - 6) add_option(line, rng, verb);
  for (uint32_t left = rng_below(rng, 8) ? operands[verb].count : rng_below(rng, 4); left; left--)
    add(line, rng_below(rng, 8) ? one_of(rng, operands[verb].words) : some_word(rng));
  for (size_t i = 0; i < option_row_count; i++)
    if (option_rows[i].id == OPT_TIMEOUT && option_rows[i].verbs & 1u << verb) add(line, "--timeout=0.2");
}

static void print_line(const struct line *line) {
  for (size_t i = 0; i < line->count; i++) {
    printf("%s$'", i ? " " : "");
    for (const unsigned char *c = (const unsigned char *)line->words[i]; *c; c++)
      printf(*c < ' ' || *c > '~' || *c == '\'' || *c == '\\' ? "\\x%02x" : "%c", *c);
    printf("'");
  }
  printf("\n");
}

/* ---- where it runs */

static char *contents(const char *name) {
  static char bytes[MOST_BYTES];
  FILE *file = fopen(name, "r");
  size_t length = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
  if (file) fclose(file);
  bytes[length] = '\0';
  return bytes;
}

static void put(const struct input *input, const char *text) {
  FILE *file = fopen(input->name, "w");
  if (!file || fputs(text, file) < 0 || fclose(file)) BUG("cannot write %s", input->name);
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *where) {
  (void)about, (void)type;
  return where->level ? remove(path) : 0;
}

static void lay_out(const char *dir, const char *report) {
  nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  if (mkdir("more", 0700)) BUG("mkdir");
  for (size_t i = 0; i < ARRAY_LEN(inputs); i++) put(&inputs[i], inputs[i].text ? inputs[i].text : report);
}

static bool starts(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/* An input may be other than it was where an output was named so, or is in a directory that was. */
static bool may_change(const struct line *line, const char *name) {
  for (size_t i = 0; i < line->made_count; i++) {
    const char *made = line->made[i];
    bool read = false; /* then it may not */
    for (size_t k = 1; k < line->count; k++) read |= strcmp(line->words[k], name) == 0;
    if (!read && (starts(name, made) || !strcmp(made, ".") || !strcmp(made, "..") || !*made)) return true;
  }
  return false;
}

static int run_line(const struct line *line) {
  fflush(stdout); /* or the child has it too */
  pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    alarm(SECONDS);
    setenv("PATH", "/usr/bin:/bin", 1);
    setenv("NVCC", "false", 1); /* none that takes its time */
    struct rlimit size = {64u << 20, 64u << 20};
    setrlimit(RLIMIT_FSIZE, &size);
    bool there = freopen("/dev/null", "r", stdin) && freopen("../out", "w", stdout) && freopen("../err", "w", stderr);
    if (there) execv(line->words[0], line->words);
    _exit(99);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) BUG("no run");
  kill(-child, SIGKILL);
  return status;
}

/* What a run broke; NULL: nothing. */
static const char *broken(const struct line *line, int status, const char *report) {
  if (!WIFEXITED(status)) return WTERMSIG(status) == SIGALRM ? "does not end" : "ended by a signal";
  int left = WEXITSTATUS(status);
  const char *said = contents("../err");
  if (left == 99) BUG("cannot start %s", line->words[0]);
  if (left > 3) return "has a status of errors that are our own";
  if (left == 2 && !*said && !*contents("../out")) return "fails without a message";
  said = contents("../err");
  for (const char *c = said; *c; c++)
    if ((unsigned char)*c < ' ' && *c != '\n' && *c != '\t') return "has control characters in a message";
  if (strstr(said, "ERROR: ") || strstr(said, "runtime error")) return "is ended by a sanitizer";
  for (size_t i = 0; i < ARRAY_LEN(inputs); i++)
    if (strcmp(contents(inputs[i].name), inputs[i].text ? inputs[i].text : report) != 0 &&
        !may_change(line, inputs[i].name))
      return "changes a file that it was not to write";
  return NULL;
}

static void try_one(struct tried *tried, bool print) {
  struct line line;
  make_line(&line, tried);
  lay_out(tried->dir, tried->report);
  if (print) print_line(&line);
  int status = run_line(&line);
  const char *what = broken(&line, status, tried->report);
  if (!what) tried->ended[WEXITSTATUS(status)]++;
  if (what) {
    printf("FAIL: %s (%d): ", what, WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    print_line(&line);
    printf("%.600s", contents("../err"));
    tried->findings++;
  }
  for (size_t i = 0; i < line.count; i++) free(line.words[i]);
}

int main(int argc, char **argv) {
  struct tried tried = {.rng = {1}, .dir = "/tmp/ptxlit-commands-XXXXXX"};
  uint64_t count = 100;
  bool print = false;
  const struct test_option options[] = {
      {"--seed", .number = &tried.rng.state}, {"--count", .number = &count}, {"--print", .flag = &print}, {0}};
  int at = test_options_read(options, argc, argv);
  if (at < argc) tried.tool = realpath(argv[at], NULL);
  if (!tried.tool || !mkdtemp(tried.dir) || chdir(tried.dir) || mkdir("work", 0700) || chdir("work")) {
    fputs("usage: commands [--seed N] [--count N] [--print] TOOL\n", stderr);
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  char *top = realpath("..", NULL);
  strcat(tried.dir, "/work");
  lay_out(tried.dir, "");
  run_line(&(struct line){.words = {(char *)tried.tool, "suite", "--format=json", "SB.litmus"}, .count = 4});
  tried.report = strdup(contents("../out"));
  for (uint64_t i = 0; i < count; i++) try_one(&tried, print);
  if (chdir("/") == 0 && top) nftw(top, remove_one, 8, FTW_DEPTH | FTW_PHYS), rmdir(top);
  printf("status 0: %zu, 1: %zu, 2: %zu, 3: %zu\n", tried.ended[0], tried.ended[1], tried.ended[2], tried.ended[3]);
  printf("%zu passed, %zu failed\n", (size_t)count - tried.findings, tried.findings);
  return tried.findings != 0;
}
