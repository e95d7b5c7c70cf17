/* Matrices in shared memory, by the descriptors of wgmma (PTX ISA 9.4, 9.7.17.5.1) and of tcgen05 (9.7.18.4). */
#pragma once

#include "ptx/program.h"

/* leading, stride: the offsets of the descriptor; swizzle: 0, 32, 64 or 128; atom: the bytes that swizzling keeps
 * together; phase: its start within the MATRIX_PHASE bytes of the swizzling pattern; all in bytes. */
enum { MATRIX_PHASE = 1024, MATRIX_ATOM = 16, MATRIX_WIDE_ATOM = 32 };
struct matrix {
  uint64_t start;
  uint32_t leading, stride, swizzle, atom, phase;
  uint32_t rows;    /* the operand's size in M or N */
  uint32_t depth;   /* the bytes of a row */
  uint32_t element; /* bytes */
  bool transposed;  /* adjacent elements differ in the row, and not in K */
};

/* The bytes of a row of an operand of wgmma, in all shapes, and of an element of a transposable matrix. */
enum { MATRIX_DEPTH = 32, MATRIX_ELEMENT = 2 };

/* m64n8k16; NULL if the instruction has no such word. */
struct matrix_shape {
  uint32_t m, n, k;
};
bool matrix_shape(const struct litmus_instr *ast, struct matrix_shape *out);
/* matrix_is_tensor: true for tcgen05.mma and .cp, of matrices in shared memory. matrix_tiled: what a kernel models of
 * an instruction that is not modelled otherwise. */
bool matrix_is_tensor(const struct litmus_instr *ast);
enum tiled matrix_tiled(const struct litmus_instr *ast);

/* The matrix of a descriptor. matrix_decode_tensor, for tcgen05, is false if the mode is not modelled. */
void matrix_decode(uint64_t descriptor, struct matrix *out);
bool matrix_decode_tensor(uint64_t descriptor, struct matrix *out);

/* The instruction descriptor of tcgen05.mma: rows and columns of D, and flags for A and B transposed. */
struct product {
  uint32_t rows, columns;
  bool transposed[2];
};
/* The operand that is the instruction descriptor; UINT32_MAX: the instruction is not a product. */
uint32_t product_descriptor(const struct litmus_instr *ast);
/* The part of operand 1 or 2 of tcgen05.mma, or of the source of tcgen05.cp, in one CTA, without its place. */
struct matrix matrix_of_tensor(const struct litmus_instr *ast, uint32_t index, uint32_t descriptor);
/* The bytes of a matrix, by their distance `at` from its start. False: some precede the start, or the section has no
 * such layout. */
bool matrix_runs(struct arena *arena, const struct matrix *matrix, struct byte_runs *out);

/* Operand 1 or 2 of wgmma, without its place, and in *transposed the index of the operand with its transposition;
 * UINT32_MAX: none. `described`: operand 1 is in memory. */
struct matrix matrix_of_warpgroup(const struct litmus_instr *ast, uint32_t index, bool described, uint32_t *transposed);

/* forms.c: the threads that must execute an instruction together, by its words. */
enum aligned aligned_of(const struct litmus_instr *ast);
/* The number of earlier instructions of its form; 0 of a mark, whose number decides. */
uint32_t aligned_ordinal(const struct instr *earlier, uint32_t count, const struct instr *instr);
/* True if an instruction of one thread is an instruction of another: the n-th of its form in the text. */
bool aligned_same(const struct thread *a, uint32_t instr_a, const struct thread *b, uint32_t instr_b);
/* A mark in a column of a kernel, `pmevent.aligned.warp 12`: here all lanes of the warp must execute one instruction of
 * the module, which the number names. aligned_mark: its words. */
bool aligned_is_mark(const struct litmus_instr *ast);
const char *aligned_mark(enum aligned aligned, struct arena *arena);

/* ldmatrix and stmatrix: `count` matrices of MATRIX_ROWS rows of 16 bytes, with `parts` parts of `bytes` bytes per
 * lane. */
enum { MATRIX_ROWS = 8, MOST_PARTS = 8 };
struct row_access {
  bool loads, transposed;
  uint32_t count, parts, bytes;
};
/* rows.c. False: another instruction, or another shape. */
bool rows_read(const struct litmus_instr *ast, struct row_access *out);
/* The lane that gives the address of the row that contains a lane's part; *at: the offset of the part in the row. */
uint32_t rows_lane(const struct row_access *access, uint32_t lane, uint32_t part, uint32_t *at);
