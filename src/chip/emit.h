/* The state of the thread being written, for all files that write PTX. Private to src/chip. */
#pragma once

#include "chip/chip.h"
#include "ptx/alu.h"

struct emit {
  struct arena *arena;
  const struct program *program;
  const struct chip_plan *plan;
  const struct thread *thread;
  uint32_t thread_index;
  const struct instr *instr;
  const char *guard;        /* "@v3 " before the present instruction; "" without one */
  struct text body;         /* lines of PTX as literals of C++ */
  uint32_t temps, labels;   /* made so far */
  uint32_t outputs;         /* operands of the asm statement that come before the inputs */
  VEC(const char *) inputs; /* expressions of C++ */
  bool *wide;               /* registers of 128 bits */
  bool issues;              /* the thread has issued asynchronous operations */
  const char *stop;         /* the label for a thread that gives up */
  VEC(uint32_t) written;    /* registers of the test that emit_write wrote */
  /* Registers that tcgen05.ld or wgmma writes, and that were not waited for. */
  VEC(struct loaded {
    uint32_t reg;
    const char *value;
    uint32_t commits; /* of groups of wgmma before */
  })
  loaded;
  uint32_t commits;
};

/* Adds a line of PTX. */
void emit_line(struct emit *e, const char *format, ...) PRINTF_LIKE(2, 3);

/* A new temporary register of a type such as "b32"; the untyped one of a width. */
const char *emit_temp(struct emit *e, const char *type);
const char *emit_bits(struct emit *e, unsigned width);

bool emit_is_pred(const struct emit *e, uint32_t reg);

/* A register of so many bits (1: a predicate) with a constant, with a register of the test, or with an operand. */
const char *emit_constant(struct emit *e, value_t value, unsigned width);
const char *emit_read_reg(struct emit *e, uint32_t reg, unsigned width);
const char *emit_read(struct emit *e, const struct operand *operand, unsigned width);
/* Writes a register of the test (NO_REG: none), under the guard of the present instruction. */
void emit_write(struct emit *e, uint32_t reg, const char *value, unsigned width, bool is_signed);

/* The operand of the asm statement that has the value of an expression of C++. */
const char *emit_input(struct emit *e, const char *expression);

/* The place on the device for an address of the model, as accesses in a space name it: "%2", "%2+4". */
const char *emit_place(struct emit *e, const struct address *address, enum space space);
/* The address operand of the present instruction, such as "[%2+4]". */
const char *emit_where(struct emit *e);

/* The same for a declared location, as an expression of C++ for its generic address. */
const char *emit_expression(struct emit *e, const struct address *address);

/* The same in a register. */
const char *emit_address(struct emit *e, const struct address *address, enum space space);

/* A load or store through a texture, a surface or the constant bank: images.c. */
void emit_image(struct emit *e);
bool emit_has_image(enum proxy proxy);

/* mapa, getctarank, isspacep: windows.c. */
void emit_window(struct emit *e);

/* True if arithmetic is translated here; else it is written as the test has it. */
bool emit_has_words(const struct instr *instr);

/* The dots after the opcode of the present instruction, as the test has them: ".async.bulk". */
const char *emit_words(struct emit *e);

/* A jump to a label that uses up a step; with none left the thread gives up. */
void emit_step(struct emit *e, const char *label);

/* The whole thread of a test in CUDA C++: cpp.c. */
void emit_cpp(struct emit *e);

/* Barriers: barriers.c; exchanges among lanes: lanes.c. */
void emit_barrier(struct emit *e);
void emit_lanes(struct emit *e);

/* tensormap.replace, a store to all of a map: async.c. */
void emit_replace(struct emit *e);

/* Operations on mbarrier objects, asynchronous ones, groups of them, and proxy fences: async.c. */
void emit_mbarrier(struct emit *e);
void emit_async(struct emit *e);
void emit_group(struct emit *e);
void emit_proxy_fence(struct emit *e);

/* tcgen05: tensor.c. emit_tensor_wait: the rest of a wait for loads, or for stores. */
void emit_tensor_mma(struct emit *e);
void emit_tensor_load(struct emit *e);
void emit_tensor_store(struct emit *e);
void emit_tensor_commit(struct emit *e);
void emit_tensor_alloc(struct emit *e);
void emit_tensor_free(struct emit *e);
void emit_tensor_relinquish(struct emit *e);
void emit_tensor_wait(struct emit *e, enum one_way which);
void emit_mma(struct emit *e);
void emit_mma_group(struct emit *e);
/* Where a thread is whole warps: its begin; an instruction, which `instr` writes, for all lanes or for the first one;
 * its end. */
void emit_lanes_begin(struct emit *e);
void emit_by_lanes(struct emit *e, void (*instr)(struct emit *, uint32_t), uint32_t index);
void emit_lanes_end(struct emit *e);
/* The waits at the end of a thread that issued asynchronous operations: its memory must outlive them. */
void emit_drain(struct emit *e);
