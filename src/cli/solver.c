#include "cli/run.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/input.h"
#include "base/process.h"

static const struct solver solvers[] = {
    {"minisat", {"-verb=0", NULL}},
    {"cryptominisat5", {"--verb=0", NULL}},
    {"z3", {"-dimacs", "-in", NULL}},
};

enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

const char *solver_names(void) { return "minisat, cryptominisat5 or z3"; }

const struct solver *solver_find(const char *name) {
  return ARRAY_FIND(e, solvers, SOLVERS, (!*name || strcmp(name, e->name) == 0) && base_can_run(e->name));
}

/* Reads the answer in a line that a process wrote. */
static void take_line(char *line, enum ptxlit_answer *answer) {
  static const char *const no[] = {"s UNSATISFIABLE", "UNSATISFIABLE", "unsat"};
  static const char *const yes[] = {"s SATISFIABLE", "SATISFIABLE", "sat"};
  line[strcspn(line, "\n")] = '\0';
  for (size_t i = 0; i < ARRAY_LEN(no); i++) {
    if (strcmp(line, no[i]) == 0) *answer = PTXLIT_UNSATISFIABLE;
    if (strcmp(line, yes[i]) == 0) *answer = PTXLIT_SATISFIABLE;
  }
}

/* ---- processes */

/* Records why there is no answer. */
__attribute__((format(printf, 2, 3))) static void say(struct opinion *opinion, const char *format, ...) {
  va_list arguments;
  opinion->answer = PTXLIT_NO_ANSWER;
  va_start(arguments, format);
  vsnprintf(opinion->problem, sizeof opinion->problem, format, arguments);
  va_end(arguments);
}

/* Waits for a process that writes to `from`, and returns its status; at the deadline kills it and returns -1. */
static int finish(pid_t child, int from, double deadline, enum ptxlit_answer *answer) {
  FILE *lines = input_stream(from, deadline);
  char *line = NULL;
  size_t room = 0;
  int status = -1;
  while (lines && getline(&line, &room, lines) >= 0) take_line(line, answer);
  bool in_time = lines && !ferror(lines);
  if (!in_time) process_end_group(child);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (lines) fclose(lines);
  free(line);
  return in_time ? status : -1;
}

/* Writes the clauses to a file without a name, so that no file remains in any case. */
static FILE *clauses_file(const char *dimacs, size_t size) {
  FILE *file = tmpfile();
  if (!file) return NULL;
  if (fwrite(dimacs, 1, size, file) == size && fflush(file) == 0 && fseek(file, 0, SEEK_SET) == 0) return file;
  fclose(file);
  return NULL;
}

static void become(const struct solver *solver, int in, int out) {
  char *words[6] = {(char *)(uintptr_t)solver->name};
  for (size_t i = 0; solver->arguments[i]; i++) words[i + 1] = (char *)(uintptr_t)solver->arguments[i];
  int null = open("/dev/null", O_WRONLY);
  if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || null < 0 || dup2(null, STDERR_FILENO) < 0)
    _exit(127);
  execvp(solver->name, words);
  _exit(127);
}

/* Called in the child: ends it with its parent. */
static void follow_parent(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
}

/* Starts a process with a pipe from it, and returns its id; -1 if that fails. In the child, returns 0, and `*end` is
 * its end of the pipe. `follow` makes the child end with its parent. */
static pid_t start(int *end, void (*follow)(pid_t parent)) {
  int ends[2];
  if (pipe(ends) < 0) return -1;
  pid_t parent = getpid(), child = fork();
  *end = ends[child == 0];
  if (child == 0) follow(parent);
  if (child >= 0) close(ends[child != 0]);
  else close(ends[0]), close(ends[1]);
  return child;
}

void solver_ask(const struct solver *solver, const char *dimacs, size_t size, double timeout, struct opinion *opinion) {
  double deadline = base_deadline(timeout);
  FILE *clauses = clauses_file(dimacs, size);
  int end = -1;
  pid_t child = clauses ? start(&end, process_become_group) : -1;
  if (child == 0) become(solver, fileno(clauses), end);
  if (clauses) fclose(clauses);
  *opinion = (struct opinion){.answer = PTXLIT_NO_ANSWER};
  if (child < 0) {
    say(opinion, "%s could not be started", solver->name);
    return;
  }
  int status = finish(child, end, deadline, &opinion->answer);
  if (status == -1) say(opinion, "%s did not answer in time", solver->name);
  else if (WIFSIGNALED(status)) say(opinion, "%s was ended by signal %d", solver->name, WTERMSIG(status));
  else if (!opinion->answer)
    say(opinion, "%s gave no answer and ended with status %d", solver->name, WEXITSTATUS(status));
}

void solver_prove(const char *dimacs, double timeout, struct opinion *opinion, bool *rejected) {
  static const char *const words[] = {
      [PTXLIT_NO_ANSWER] = "", [PTXLIT_SATISFIABLE] = "sat\n", [PTXLIT_UNSATISFIABLE] = "unsat\n"};
  int end = -1;
  pid_t child = start(&end, follow_parent);
  if (child == 0) {
    const char *word = words[ptxlit_prove(dimacs, timeout)];
    _exit(write(end, word, strlen(word)) < 0);
  }
  *rejected = false;
  *opinion = (struct opinion){.answer = PTXLIT_NO_ANSWER};
  if (child < 0) {
    say(opinion, "the proof check of %s could not be started", ptxlit_solver());
    return;
  }
  int status = finish(child, end, 0, &opinion->answer);
  *rejected = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
  if (!opinion->answer) say(opinion, "the proof check of %s did not finish", ptxlit_solver());
}
