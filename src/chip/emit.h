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
  const char *guard;        /* "@v3 " before the current instruction; "" without a guard */
  struct text body;         /* lines of PTX as literals of C++ */
  uint32_t temps, labels;   /* the numbers generated so far */
  uint32_t outputs;         /* operands of the asm statement that come before the inputs */
  VEC(const char *) inputs; /* expressions of C++ */
  bool *wide;               /* registers of 128 bits */
  bool issues;              /* the thread has issued asynchronous operations */
  const char *stop;         /* the label for a thread that gives up */
  VEC(uint32_t) written;    /* the test's registers that emit_write wrote */
  /* Registers that tcgen05.ld or wgmma writes, before the wait for them. */
  VEC(struct loaded {
    uint32_t reg;
    const char *value;
    uint32_t commits; /* the number of earlier wgmma commits */
  })
  loaded;
  uint32_t commits;
};

/* Adds a line of PTX. */
void emit_line(struct emit *e, const char *format, ...) PRINTF_LIKE(2, 3);

/* A new temporary register of a type such as "b32". */
const char *emit_temp(struct emit *e, const char *type);
/* A new temporary register of type b`width`. */
const char *emit_bits(struct emit *e, unsigned width);

bool emit_is_pred(const struct emit *e, uint32_t reg);

/* A register of `width` bits (1: a predicate) that holds a constant, a register of the test, or an operand. */
const char *emit_constant(struct emit *e, value_t value, unsigned width);
const char *emit_read_reg(struct emit *e, uint32_t reg, unsigned width);
const char *emit_read(struct emit *e, const struct operand *operand, unsigned width);
/* Writes a register of the test (NO_REG: none), under the guard of the current instruction. */
void emit_write(struct emit *e, uint32_t reg, const char *value, unsigned width, bool is_signed);

/* The asm operand for the value of a C++ expression. */
const char *emit_input(struct emit *e, const char *expression);

/* The device address for an address of the model, as accesses in this space write it: "%2", "%2+4". */
const char *emit_place(struct emit *e, const struct address *address, enum space space);
/* The address operand of the current instruction, such as "[%2+4]". */
const char *emit_where(struct emit *e);

/* A C++ expression for the generic address of a declared location. */
const char *emit_expression(struct emit *e, const struct address *address);

/* A register with the device address for an address of the model. */
const char *emit_address(struct emit *e, const struct address *address, enum space space);

/* A load or store through a texture, a surface or the constant bank: images.c. */
void emit_image(struct emit *e);
bool emit_has_image(enum proxy proxy);

/* mapa, getctarank, isspacep: windows.c. */
void emit_window(struct emit *e);

/* True if src/chip translates this arithmetic instruction; else it is written as in the test. */
bool emit_has_words(const struct instr *instr);

/* The qualifiers after the opcode of the current instruction, as in the test: ".async.bulk". */
const char *emit_words(struct emit *e);

/* Adds a jump to the label and counts it as a step; a thread that has used up its steps stops waiting. */
void emit_step(struct emit *e, const char *label);

/* The whole thread of a test in CUDA C++, or of the host: cpp.c. */
void emit_cpp(struct emit *e);

/* Barriers: barriers.c; exchanges among lanes: lanes.c. */
void emit_barrier(struct emit *e);
void emit_lanes(struct emit *e);

/* tensormap.replace, a store to all of a map: async.c. */
void emit_replace(struct emit *e);

/* Operations on mbarrier objects, asynchronous operations, their groups, and proxy fences: async.c. */
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
/* For a thread of the test that whole warps run: emit_lanes_begin starts it, emit_by_lanes writes one instruction
 * through `instr` for all lanes or for the first one only, emit_lanes_end ends it. */
void emit_lanes_begin(struct emit *e);
void emit_by_lanes(struct emit *e, void (*instr)(struct emit *, uint32_t), uint32_t index);
void emit_lanes_end(struct emit *e);
/* The waits at the end of a thread that issued asynchronous operations: its memory must outlive them. */
void emit_drain(struct emit *e);
