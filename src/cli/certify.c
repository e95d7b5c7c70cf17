/* --certify: has another solver or the brute-force engine confirm a result. */
#include "base/text.h"
#include "cli/run.h"

/* The time limit in seconds of brute force without --timeout: brute force might take years. */
static const double brute_force_limit = 10;

struct case_file {
  struct run *run;
  const struct ptxlit_result *result;
  struct ptxlit_certificate certificate;
  char problem[160];
  double timeout;
};

bool certify_begin(struct run *run) {
  const char *wanted = run->options->set[OPT_CERTIFY].word;
  if (!run->options->set[OPT_CERTIFY].given) return true;
  if (run_has(run, OPT_ENGINE, "enumerate"))
    return run_complain(run, "leave out --engine: brute force is a part of --certify",
                        "--certify needs the SAT engine");
  run->second = solver_find(wanted);
  if (run->second) return true;
  if (*wanted) text_say(stderr, "ptxlit: warning: '%s' is not installed: nothing is certified\n", wanted);
  else fprintf(stderr, "ptxlit: warning: no second solver is installed (%s): nothing is certified\n", solver_names());
  return true;
}

/* ---- disagreements: bugs of ptxlit or of a solver */

/* Makes a file name from a test's and a model's name; other characters become '-'. */
static void name_of_clauses(const struct ptxlit_result *result, char *name, size_t size) {
  snprintf(name, size, "ptxlit-%s-%s.cnf", result->test, result->model);
  for (char *c = name; *c; c++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+._-", *c)) *c = '-';
}

static void keep_clauses(const struct ptxlit_result *result, const struct ptxlit_claim *claim) {
  char name[256];
  name_of_clauses(result, name, sizeof name);
  FILE *file = fopen(name, "wx");
  bool written = file && fwrite(claim->dimacs, 1, claim->size, file) == claim->size;
  int error = errno;
  if (file && fclose(file) != 0) written = false;
  if (written) text_say(stderr, "    the clauses are in '%s': please report them with the test\n", name);
  else text_say(stderr, "    the clauses cannot be kept in '%s': %s\n", name, strerror(error));
}

static void disagree(struct case_file *file, const char *who, const char *does, const char *what,
                     const struct ptxlit_claim *claim) {
  run_flush(file->run);
  text_say(stderr, "ptxlit: internal error: '%s' under '%s': %s %s %s\n", file->result->test, file->result->model, who,
           does, what);
  if (claim) keep_clauses(file->result, claim);
  exit(70);
}

/* ---- the checks */

static void note_problem(struct case_file *file, const char *problem) {
  if (file->certificate.problem) return;
  snprintf(file->problem, sizeof file->problem, "%s", problem);
  file->certificate.problem = file->problem;
}

static void check_claim(struct case_file *file, const struct ptxlit_claim *claim) {
  const struct solver *second = file->run->second;
  struct opinion opinion;
  bool rejected;
  solver_prove(claim->dimacs, file->timeout, &opinion, &rejected);
  if (rejected) disagree(file, ptxlit_solver(), "gave a proof that its checker rejects, of:", claim->what, claim);
  if (opinion.answer == PTXLIT_SATISFIABLE)
    disagree(file, ptxlit_solver(), "finds a solution against the claim:", claim->what, claim);
  if (opinion.answer == PTXLIT_UNSATISFIABLE) file->certificate.proved++;
  else note_problem(file, opinion.problem);
  if (!second) return;
  solver_ask(second, claim->dimacs, claim->size, file->timeout, &opinion);
  if (opinion.answer == PTXLIT_SATISFIABLE)
    disagree(file, second->name, "finds a solution against the claim:", claim->what, claim);
  if (opinion.answer == PTXLIT_UNSATISFIABLE) file->certificate.agreed++;
  else note_problem(file, opinion.problem);
}

/* Repeats the check by the other engine; no answer if it does not finish. */
static void check_by_brute_force(struct case_file *file, const struct ptxlit_options *usual, size_t test,
                                 size_t model) {
  struct run *run = file->run;
  struct ptxlit_options brute = *usual;
  const struct ptxlit_result *other;
  brute.engine = PTXLIT_ENUMERATE;
  brute.certify = false;
  if (brute.timeout <= 0) brute.timeout = brute_force_limit;
  ptxlit_set_options(run->session, &brute);
  ptxlit_check(run->session, test, model, &other);
  ptxlit_set_options(run->session, usual);
  if (!other || other->verdict == PTXLIT_UNKNOWN) return;
  const char *difference = ptxlit_difference(file->result, other);
  if (difference) disagree(file, "brute force", "differs in", difference, NULL);
  file->certificate.candidates = other->candidates;
}

void certify_result(struct run *run, const struct ptxlit_options *usual, size_t test, size_t model,
                    const struct ptxlit_result *result) {
  const struct ptxlit_claim *claims;
  size_t count = ptxlit_claims(result, &claims);
  struct case_file file = {.run = run, .result = result, .timeout = run->options->set[OPT_TIMEOUT].seconds};
  const char *wanted = run->options->set[OPT_CERTIFY].word;
  if (run->second) file.certificate.solver = run->second->name;
  if (result->verdict == PTXLIT_UNKNOWN) note_problem(&file, "the verdict is unknown");
  else if (!run->second && *wanted) note_problem(&file, "the second solver is not installed");
  else if (!run->second) note_problem(&file, "no second solver is installed");
  for (size_t i = 0; i < count; i++) check_claim(&file, &claims[i]);
  if (result->verdict != PTXLIT_UNKNOWN) check_by_brute_force(&file, usual, test, model);
  if (result->verdict == PTXLIT_UNDEFINED && !file.certificate.candidates)
    note_problem(&file, "only brute force can confirm that it is undefined, and that did not finish");
  file.certificate.certified = !file.certificate.problem;
  if (!file.certificate.certified) run_note(run, PTXLIT_NO_VERDICT);
  run_note(run, ptxlit_certify(run->session, result, &file.certificate));
}
