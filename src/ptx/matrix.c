#include "ptx/matrix.h"

/* UNIT: the bytes that are adjacent in every layout. */
enum { UNIT = 16, CORE_ROWS = 8, WIDE_ROWS = 4 };

bool matrix_shape(const struct litmus_instr *ast, struct matrix_shape *out) {
  return SOME(LIST_EACH (word, ast->qualifiers.first),
              sscanf(word->text, ".m%un%uk%u", &out->m, &out->n, &out->k) == 3);
}

bool matrix_is_tensor(const struct litmus_instr *ast) {
  return strcmp(ast->opcode.text, "tcgen05") == 0 &&
         (litmus_has_word(&ast->qualifiers, ".mma") || litmus_has_word(&ast->qualifiers, ".cp"));
}

enum tiled matrix_tiled(const struct litmus_instr *ast) {
  struct matrix_shape shape;
  struct row_access rows;
  bool copies = strcmp(ast->opcode.text, "cp") == 0 && litmus_has_word(&ast->qualifiers, ".tensor");
  if (copies && !litmus_has_word(&ast->qualifiers, ".prefetch")) return TILED_COPY;
  if (rows_read(ast, &rows)) return TILED_ROWS;
  bool multiplies = strcmp(ast->opcode.text, "wgmma") == 0 && matrix_shape(ast, &shape);
  return multiplies || matrix_is_tensor(ast) ? TILED_PRODUCT : TILED_NONE;
}

/* Base offset: the start of the repeated pattern, in units of 128 bytes; else it starts at multiples of its size. */
void matrix_decode(uint64_t d, struct matrix *out) {
  static const uint32_t swizzles[] = {0, 128, 64, 32};
  out->start = (d & 0x3fff) << 4;
  out->leading = (uint32_t)(d >> 16 & 0x3fff) << 4;
  out->stride = (uint32_t)(d >> 32 & 0x3fff) << 4;
  out->swizzle = swizzles[d >> 62];
  out->atom = MATRIX_ATOM;
  out->phase = (uint32_t)(out->start - (d >> 49 & 7) * 128) % MATRIX_PHASE;
}

/* Bits 61 to 63 are the swizzle; 1 is 128 bytes with atoms of 32. Bit 52: the leading offset is an address. */
bool matrix_decode_tensor(uint64_t d, struct matrix *out) {
  bool wide = d >> 61 == 1;
  matrix_decode(d, out);
  if (wide) out->swizzle = 128, out->atom = MATRIX_WIDE_ATOM;
  return !(d >> 52 & 1) && (wide || !(d >> 61 & 1));
}

static struct product product_decode(uint32_t d) {
  return (struct product){(d >> 24 & 31) * 16, (d >> 17 & 63) * 8, {d >> 15 & 1, d >> 16 & 1}};
}

uint32_t product_descriptor(const struct litmus_instr *ast) {
  if (!litmus_has_word(&ast->qualifiers, ".mma")) return UINT32_MAX;
  return litmus_has_word(&ast->qualifiers, ".sp") ? 4 : 3; /* after the metadata */
}

/* In a sparse product, A has half of the elements of B's depth. */
static struct matrix of_product(const struct litmus_instr *ast, uint32_t index, uint32_t descriptor) {
  struct product product = product_decode(descriptor);
  uint32_t rows = index == 1 ? product.rows : product.columns;
  if (litmus_has_word(&ast->qualifiers, ".cta_group::2")) rows /= 2;
  return (struct matrix){
      .rows = rows,
      .depth = index == 2 && litmus_has_word(&ast->qualifiers, ".sp") ? 2 * MATRIX_DEPTH : MATRIX_DEPTH,
      .element = litmus_has_word(&ast->qualifiers, ".kind::tf32")  ? 4
                 : litmus_has_word(&ast->qualifiers, ".kind::f16") ? 2
                                                                   : 1,
      .transposed = product.transposed[index - 1],
  };
}

struct matrix matrix_of_tensor(const struct litmus_instr *ast, uint32_t index, uint32_t descriptor) {
  uint32_t rows = 0, bits = 0;
  if (product_descriptor(ast) != UINT32_MAX) return of_product(ast, index, descriptor);
  for (const struct litmus_word *word = ast->qualifiers.first; word && !bits; word = word->next)
    if (sscanf(word->text, ".%ux%ub", &rows, &bits) != 2) bits = 0;
  return (struct matrix){.rows = rows, .depth = bits / 8, .element = 1};
}

/* The canonical layouts of the section, in bytes: `i` counts rows or, if rows are adjacent, units of rows; `k` counts
 * units, or elements. */
static uint64_t unit_at(const struct matrix *m, uint32_t i, uint32_t k) {
  uint32_t wide = m->swizzle / UNIT, rows = m->atom == MATRIX_WIDE_ATOM ? WIDE_ROWS : CORE_ROWS;
  uint64_t at;
  if (!m->transposed && !wide)
    at = (uint64_t)i % CORE_ROWS * UNIT + (uint64_t)(i / CORE_ROWS) * m->stride + (uint64_t)k * m->leading;
  else if (!m->transposed)
    at = (uint64_t)i % CORE_ROWS * m->swizzle + (uint64_t)(i / CORE_ROWS) * m->stride + (uint64_t)k * UNIT;
  else if (!wide) at = (uint64_t)i * m->stride + k % CORE_ROWS * UNIT + (uint64_t)(k / CORE_ROWS) * m->leading;
  else
    at = i % wide * UNIT + (uint64_t)(i / wide) * m->leading + (uint64_t)(k % rows) * m->swizzle +
         (uint64_t)(k / rows) * m->stride;
  at += m->phase;
  if (!wide) return at;
  return at ^ (at >> (rows == WIDE_ROWS ? 2 : 3) & (m->swizzle - 1) & ~(uint64_t)(m->atom - 1));
}

bool matrix_runs(struct arena *arena, const struct matrix *m, struct byte_runs *out) {
  uint32_t rows = m->transposed ? m->rows * m->element / UNIT : m->rows;
  uint32_t depth = m->depth / (m->transposed ? m->element : (uint32_t)UNIT);
  *out = (struct byte_runs){.list = ARENA_ARRAY(arena, struct byte_run, rows * depth)};
  if (m->atom == MATRIX_WIDE_ATOM && !(m->transposed && m->element == 4)) return false;
  for (uint32_t i = 0; i < rows; i++)
    for (uint32_t k = 0; k < depth; k++) {
      uint64_t at = unit_at(m, i, k);
      if (at < m->phase || at - m->phase > UINT32_MAX / 2) return false;
      out->list[out->count] = (struct byte_run){(uint32_t)(at - m->phase), UNIT * out->count, UNIT};
      out->count++;
    }
  return true;
}

/* The operands after the matrices: for a sparse product, metadata and their selector; then a flag to add d, two signs
 * and, with elements of 16 bits, the transposition of each matrix in memory. */
struct matrix matrix_of_warpgroup(const struct litmus_instr *ast, uint32_t index, bool described,
                                  uint32_t *transposed) {
  enum { MATRICES = 3, SIGNS = 3, SPARSE = 2 };
  struct matrix_shape shape = {0};
  bool sparse = litmus_has_word(&ast->qualifiers, ".sp");
  uint32_t first = MATRICES + (sparse ? SPARSE : 0) + SIGNS, flags = described ? 2 : 1;
  matrix_shape(ast, &shape);
  *transposed = UINT32_MAX;
  if (LIST_LENGTH(ast->operands) == first + flags && (described || index == 2))
    *transposed = described ? first + index - 1 : first;
  return (struct matrix){.rows = index == 1 ? shape.m : shape.n,
                         .depth = sparse && index == 2 ? 2 * MATRIX_DEPTH : MATRIX_DEPTH,
                         .element = MATRIX_ELEMENT};
}
