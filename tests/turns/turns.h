/* Small programs of threads that loop, and all results of the turns of their threads, without code of the tool, with
 * which tests/turns/turns.c compares its answers. A state is the content of memory and threads; a turn of a thread is
 * one instruction, a read or write of one location at once and the branch after it. At the barrier, or a vote, threads
 * wait for all that have not ended, and leave it together. That is the model sc; weaker models are not simulated. */
#ifndef PTXLIT_TESTS_TURNS_H
#define PTXLIT_TESTS_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_THREADS = 3, MOST_STEPS = 6, LOCATIONS = 2, VALUES = 4 };

/* The threads that a scheduler keeps going, of those that have not ended: docs/format.md, "Does it end?". */
enum scheduler { FAIR, HSA, OBE, LOBE, SCHEDULERS };

enum operation { STORE, LOAD, EXCHANGE, COMPARE_AND_SWAP, INCREMENT /* of VALUES - 1 to 0 */, BARRIER, VOTE };

struct operand {
  bool is_register;
  uint8_t value; /* a number below VALUES, or the step whose result it is */
};

/* An instruction with label `Ltk` in front. All but stores and barriers write register k, and may branch then. */
struct step {
  enum operation operation;
  uint8_t location;
  struct operand written; /* of all but loads and increments */
  uint8_t compared;       /* of a compare-and-swap, and of a vote: the number that the asked register is to equal */
  uint8_t asked;          /* by a vote: the result is 1 if this register of each thread that meets is as it is to be */
  bool branches, when_equal;
  uint8_t tested, with, target; /* register, number, and step; one past the last is the end */
};

struct program {
  uint8_t threads, steps[MOST_THREADS];
  struct step step[MOST_THREADS][MOST_STEPS];
};

/* As bits: the values of locations and registers, then for each thread its position and a bit: it has begun. */
typedef uint64_t state;

uint8_t location_of(state s, unsigned location);
uint8_t register_of(state s, unsigned thread, unsigned step);

struct answers {
  state *ends; /* in which all threads have ended; some may differ only in what no register or location shows */
  size_t count;
  bool hangs[SCHEDULERS]; /* not every execution ends */
};

/* Every state that turns lead to. False when there are too many, or memory runs out. The ends are the caller's. */
bool take_turns(const struct program *program, struct answers *answers);

#endif
