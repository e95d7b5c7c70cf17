/* Writes a test as a program for a GPU, in C++ with inline PTX, or gives the reason why it cannot run.
 *
 * A program consists of the files of src/chip/harness, the same for all tests, and parts: files with a struct for each
 * test. Nothing here starts a compiler or a device.
 *
 * Source: PTX ISA 9.4, chapter 9; CUDA C++ Programming Guide, "Thread Block Clusters", "Virtual Memory Management".
 */
#pragma once

#include "ptx/program.h"

enum { CHIP_MATRIX_ROWS = 8, CHIP_OBJECT_COLUMNS = 64 }; /* of a matrix in shared memory; of a product */

enum { CHIP_NO_PLACE = UINT32_MAX, CHIP_MAX_OBJECTS = 32, CHIP_MAX_ALIASES = 4, CHIP_MAX_VALUES = 24 };

/* The home of an object that is not shared memory: the arena that all instances share; the constant bank; a CUDA array,
 * which only surfaces and textures can access; for a tensor map, the arena; in a test with a host, memory of the host,
 * pinned or managed. */
enum chip_home { CHIP_ARENA, CHIP_CONSTANT, CHIP_ARRAY, CHIP_MAP, CHIP_MAPPED, CHIP_MANAGED };

/* The layout of a test on the device. A seat is a place for a thread in a block; with `narrow` 32 seats are a warp.
 */
struct chip_plan {
  const char *reason;  /* why the test cannot be run: lower case, no full stop; NULL: it can */
  bool narrow;         /* threads have the warps and lanes that the test gives them, instead of a warp for 32 copies */
  bool barriers;       /* threads synchronize at barriers: one slot, because early threads must not enter another */
  bool single;         /* one instance in a block */
  bool stops;          /* the test may wait for ever */
  bool remote;         /* a CTA accesses the shared memory of another CTA */
  bool async;          /* some accesses are by the async proxy */
  bool textures;       /* some reads are through textures */
  unsigned capability; /* the only architecture that can run it: 90 (sm_90a), 100 (sm_100a); 0: any */
  unsigned lanes;      /* lanes per thread, of which the first acts for all: 32 with tcgen05, 128 with wgmma; else 0 */
  unsigned group;      /* the .cta_group of tcgen05 instructions; 0: there are none */
  bool products;       /* the test multiplies matrices */
  bool *matrices;      /* for each object: products read it as a matrix */
  uint32_t columns;    /* columns of tensor memory for declared locations */
  uint32_t map_bytes;  /* bytes of each tensor map's location; 0: the test has no map */
  uint32_t gpus;       /* the number of GPUs that the test runs on */
  uint32_t grids;      /* the number of grids, which are launched one after another */
  bool follows;        /* a grid begins after the end of the previous one */
  uint32_t hosts;      /* threads of the host */
  bool native;         /* atomics of devices must be atomic for the host */
  uint32_t clusters, cluster_size; /* CTAs of the largest cluster */
  uint32_t warps;                  /* with `narrow`: warps of the largest CTA */
  uint32_t seats;                  /* seats of the largest CTA */
  uint32_t alias_count;
  uint32_t global_count; /* objects in global memory */
  uint32_t shared_size;  /* bytes of shared memory per instance and CTA */
  uint32_t counter;      /* the offset in shared memory of the count of ended threads */
  struct chip_role {
    uint32_t cluster, rank, seat, gpu, grid;
  } * roles;             /* for each thread */
  enum chip_home *homes; /* of each object */
  uint32_t *objects;     /* for each object: its index among the global objects, or its offset in shared memory */
  uint32_t *aliases;     /* for each view: its index among the views of its object */
  uint32_t *ranks;       /* for each CTA: its number in its cluster */
  uint32_t *results;     /* for each observed observable: its first result; CHIP_NO_PLACE: in global memory */
  uint32_t result_count;
};

/* Plans the test; plan->reason is NULL or says why it cannot be run. */
void chip_plan(struct arena *arena, const struct program *program, struct chip_plan *plan);

/* The object of the declared location that contains or ends at an address; object_count: unknown. chip_object_of: for
 * the address in a constant operand. */
uint32_t chip_object_at(const struct program *program, value_t address);
static inline uint32_t chip_object_of(const struct program *program, const struct operand *base) {
  return base->kind == OPERAND_IMM ? chip_object_at(program, base->imm) : program->object_count;
}

/* tensor.c: the reason why an instruction of wgmma or tcgen05 cannot be run, or NULL. */
const char *chip_refuse_tensor(const struct program *program, const struct instr *instr);
/* The same for a test; also sets the members of the plan about tensor memory. */
const char *chip_plan_tensor(struct arena *arena, const struct program *program, struct chip_plan *plan);
/* The bytes of an object in shared memory. */
uint32_t chip_shared_bytes(const struct chip_plan *plan, const struct program *program, uint32_t object);

/* The first object of a shared object's declaration; all have the same offset in every CTA, as multicast needs. */
uint32_t chip_first_of(const struct program *program, uint32_t object);

/* Adds the instructions of one thread, as the body of a case: `m` is its memory. */
void chip_thread(struct arena *arena, const struct program *program, const struct chip_plan *plan, uint32_t thread,
                 struct text *out);

/* Adds a test to a part: its struct of device code, named with `number`, and the tables that describe it; nothing if it
 * cannot be run. */
void chip_code(struct arena *arena, const struct program *program, const struct chip_plan *plan, uint32_t number,
               struct text *out);

/* Adds the test's row to the part's table. `json`: the members that describe it in results, without braces. */
void chip_row(const struct program *program, const struct chip_plan *plan, uint32_t number, const char *json,
              struct text *out);

/* Adds a text as a C++ comment on one line, with its newline. */
void chip_comment(const char *text, struct text *out);

/* Adds a text as a C string literal. */
void chip_literal(const char *text, struct text *out);

struct chip_file {
  const char *name, *text;
};

/* The files that all programs share. */
extern const struct chip_file chip_files[];
extern const size_t chip_file_count;
