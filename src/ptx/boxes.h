/* The bytes of a tensor that a copy through a tensor map accesses (PTX ISA 5.5.3 to 5.5.5; docs/semantics.md K6). */
#pragma once

#include "ptx/program.h"

/* The modes of copies (ptx/words.def): the directions that each allows, and its kind of map. A map for tiles has a box.
 * A map for im2col has pixels, and corners in all but two of its dimensions; a map for im2col::w has corners only in
 * dimension W. */
enum box_way { BOX_LOADS = 1, BOX_STORES = 2 };
enum box_kind { BOX_TILES, BOX_IMAGES, BOX_LINES };
enum box_mode {
#define PTX_BOX(id, word, ways, least, kind) BOX_##id,
#include "ptx/words.def"
  BOX_MODES
};
struct box_mode_row {
  const char *word;
  unsigned ways, least; /* ways: a mask of enum box_way; least: dimensions */
  enum box_kind kind;
};

/* The start of a copy: one coordinate per dimension, or one in the first dimension and one for each of four rows. */
struct tensor_box {
  const struct litmus_map *map;
  enum box_mode mode;
  int64_t from[MOST_DIMENSIONS], offsets[MOST_DIMENSIONS]; /* offsets: im2col, by dimension */
};

const struct box_mode_row *box_mode_row(enum box_mode mode);
/* The mode that an instruction names; .tile if it names none. */
enum box_mode box_mode_of(const struct litmus_instr *ast);
/* True if the coordinates of this mode are one in the first dimension, and four rows. */
bool box_names_rows(enum box_mode mode);
/* The count of numbers after the mbarrier of a load: the offsets of im2col, or halo and offset of im2col::w. */
uint32_t box_offset_count(enum box_mode mode, uint32_t dimensions);

/* The reason why the sizes of a map are invalid; NULL: they are valid. `size`: bytes of the location. */
const char *box_wrong_map(const struct litmus_map *map, uint64_t size);
/* The bytes of a map's tensor, from its first element to the end of its last. */
uint64_t box_tensor_bytes(const struct litmus_map *map);
/* True if the map is for copies in this mode. */
bool box_fits(const struct litmus_map *map, enum box_mode mode);
/* Bytes of all that a copy writes or reads in shared memory. */
uint64_t box_bytes(const struct litmus_map *map, enum box_mode mode);
/* The bytes from one element to the next in a dimension. */
uint64_t box_stride(const struct litmus_map *map, uint32_t dimension);
/* False if a copy by im2col begins outside the bounding box of its map. */
bool box_begins_inside(const struct tensor_box *box);
/* The rows of a box, in their order in shared memory, without the rows outside the tensor. */
struct byte_runs box_rows(struct arena *arena, const struct tensor_box *box);
