#include "ptx/boxes.h"

#include "ptx/isa.h"

enum { MOST_IN_BOX = 256, MOST_PIXELS = 1024, MOST_BOX_BYTES = 1 << 18, BOX_UNIT = 16 };
enum { LINE_PIXELS = 128, BOX_ROWS = 4, MOST_STEP = 8 };

const struct box_mode_row *box_mode_row(enum box_mode mode) {
  static const struct box_mode_row rows[] = {
#define PTX_BOX(id, word, ways, least, kind) {"." word, ways, least, kind},
#include "ptx/words.def"
  };
  return &rows[mode];
}

enum box_mode box_mode_of(const struct litmus_instr *ast) {
  LIST_EACH (word, ast->qualifiers.first)
    for (enum box_mode mode = 0; mode < BOX_MODES; mode++)
      if (strcmp(word->text, box_mode_row(mode)->word) == 0) return mode;
  return BOX_TILE;
}

bool box_names_rows(enum box_mode mode) { return mode == BOX_GATHER || mode == BOX_SCATTER; }

uint32_t box_offset_count(enum box_mode mode, uint32_t dimensions) {
  bool line = box_mode_row(mode)->kind == BOX_LINES;
  return line ? 2 : mode == BOX_IM2COL && dimensions > 2 ? dimensions - 2 : 0;
}

/* ---- Maps */

static uint32_t rank_of(const struct litmus_map *map) { return map->of[MAP_DIMS].count; }
static int64_t dim(const struct litmus_map *map, uint32_t i) { return map->of[MAP_DIMS].list[i]; }
static bool has_pixels(const struct litmus_map *map) { return map->of[MAP_PIXELS].count; }

/* Bytes of an element; 0: it has no such type. */
static uint32_t element_bytes(const struct litmus_map *map) {
  enum ptx_type type = isa_type_named(map->type.text);
  return type == PTX_TYPES ? 0 : type_bytes(isa_type(type));
}

uint64_t box_stride(const struct litmus_map *map, uint32_t dimension) {
  uint64_t stride = element_bytes(map);
  if (dimension && map->of[MAP_STRIDES].count) return (uint64_t)map->of[MAP_STRIDES].list[dimension - 1];
  for (uint32_t i = 0; i < dimension; i++) stride *= (uint64_t)dim(map, i);
  return stride;
}

/* The traversal stride of a dimension. */
static int64_t step_of(const struct litmus_map *map, uint32_t i) {
  return map->of[MAP_STEPS].count ? map->of[MAP_STEPS].list[i] : 1;
}

/* The elements of a row. The next function: the number of rows. */
static uint64_t row_elements(const struct litmus_map *map) {
  return (uint64_t)map->of[has_pixels(map) ? MAP_CHANNELS : MAP_BOX].list[0];
}

static uint64_t row_count(const struct litmus_map *map, enum box_mode mode) {
  uint64_t rows = 1;
  if (mode == BOX_LINE_128) return LINE_PIXELS;
  if (box_names_rows(mode)) return BOX_ROWS;
  if (has_pixels(map)) return (uint64_t)map->of[MAP_PIXELS].list[0];
  for (uint32_t i = 1; i < rank_of(map); i++)
    rows *= (uint64_t)((map->of[MAP_BOX].list[i] + step_of(map, i) - 1) / step_of(map, i));
  return rows;
}

uint64_t box_bytes(const struct litmus_map *map, enum box_mode mode) {
  return row_elements(map) * row_count(map, mode) * element_bytes(map);
}

bool box_fits(const struct litmus_map *map, enum box_mode mode) {
  uint32_t corners = map->of[MAP_LOWER].count;
  switch (box_mode_row(mode)->kind) {
    case BOX_TILES:
      return !has_pixels(map) && (mode == BOX_TILE || (rank_of(map) == 2 && map->of[MAP_BOX].list[1] == 1));
    case BOX_IMAGES: return has_pixels(map) && corners + 2 == rank_of(map);
    case BOX_LINES: return has_pixels(map) && corners == 1;
  }
  BUG("no such mode of copies: %d", (int)mode);
}

static const char *wrong_steps(const struct litmus_map *map) {
  uint32_t count = map->of[MAP_STEPS].count;
  bool right = (!count || (count == rank_of(map) && map->of[MAP_STEPS].list[0] == 1)) &&
               EVERY_BELOW(i, count, map->of[MAP_STEPS].list[i] > 0 && map->of[MAP_STEPS].list[i] <= MOST_STEP);
  return right ? NULL : "steps are 1 to 8 for each dimension, and 1 for the innermost";
}

/* A corner has 16, 8 or 5 bits in three, four or five dimensions, and 16 bits for im2col::w. */
static const char *wrong_pixels(const struct litmus_map *map) {
  uint32_t rank = rank_of(map), corners = map->of[MAP_LOWER].count;
  int64_t most = corners == 1 ? 1 << 15 : corners == 2 ? 1 << 7 : 1 << 4;
  int64_t channels = map->of[MAP_CHANNELS].list[0], pixels = map->of[MAP_PIXELS].list[0];
  bool one = map->of[MAP_CHANNELS].count == 1 && map->of[MAP_PIXELS].count == 1 && !map->of[MAP_BOX].count;
  if (!one || rank < 3 || corners != map->of[MAP_UPPER].count || (corners != 1 && corners + 2 != rank))
    return "a map for im2col has dims, lower and upper of two dimensions less, or of one, channels, and pixels";
  for (uint32_t i = 0; i < corners; i++) {
    int64_t lower = map->of[MAP_LOWER].list[i], upper = map->of[MAP_UPPER].list[i];
    if (lower < -most || lower >= most || upper < -most || upper >= most)
      return "corners have 16 bits, of two dimensions 8, of three 5";
    if (lower > dim(map, i + 1) - 1 + upper) return "the bounding box is empty";
  }
  return channels < 1 || channels > MOST_IN_BOX || pixels < 1 || pixels > MOST_PIXELS
             ? "a copy by im2col has 1 to 256 channels and 1 to 1024 pixels"
             : NULL;
}

uint64_t box_tensor_bytes(const struct litmus_map *map) {
  uint64_t bytes = element_bytes(map);
  bool known = map->of[MAP_STRIDES].count + 1 == rank_of(map) || !map->of[MAP_STRIDES].count;
  for (uint32_t i = 0; i < rank_of(map) && known; i++)
    if (dim(map, i) > 0 && dim(map, i) < UINT32_MAX) bytes += (uint64_t)(dim(map, i) - 1) * box_stride(map, i);
  return bytes;
}

const char *box_wrong_map(const struct litmus_map *map, uint64_t size) {
  uint32_t element = element_bytes(map), strides = map->of[MAP_STRIDES].count, rank = rank_of(map);
  uint64_t last = element;
  bool images = has_pixels(map) || map->of[MAP_LOWER].count || map->of[MAP_UPPER].count || map->of[MAP_CHANNELS].count;
  const char *why = images ? wrong_pixels(map) : NULL;
  if (!element || element > 8) return "a tensor map has elements of a type of 8 to 64 bits, such as .b16";
  if (!rank || (!images && rank != map->of[MAP_BOX].count)) return "dims and box have a size for each dimension";
  if (wrong_steps(map)) return wrong_steps(map);
  if (strides && strides + 1 != rank) return "strides are those of all dimensions but the innermost";
  if (why) return why;
  if (row_elements(map) * element % BOX_UNIT) return "the inner size of a box is a multiple of 16 bytes";
  for (uint32_t i = 0; i < rank; i++) {
    int64_t box = images ? 1 : map->of[MAP_BOX].list[i];
    if (dim(map, i) < 1 || (uint64_t)dim(map, i) > size) return "the tensor does not fit in the location";
    if (box < 1 || box > MOST_IN_BOX) return "a box has 1 to 256 elements in each dimension";
    if (i && box_stride(map, i) % BOX_UNIT) return "strides are multiples of 16 bytes";
    if (box_stride(map, i) > size) return "the tensor does not fit in the location";
    last += (uint64_t)(dim(map, i) - 1) * box_stride(map, i);
  }
  if (last > size) return "the tensor does not fit in the location";
  return box_bytes(map, BOX_TILE) > MOST_BOX_BYTES ? "the box does not fit in shared memory" : NULL;
}

/* ---- Rows */

/* Iterates over the rows: in each dimension but the first, from `at` to `high`, then from `low` again. */
struct row_walk {
  int64_t at[MOST_DIMENSIONS], low[MOST_DIMENSIONS], high[MOST_DIMENSIONS];
};

/* The pixels of im2col are the pixels of the bounding box from the coordinates on, and then of the next image; the
 * pixels of im2col::w are those of one line of the box. */
static struct row_walk begin_walk(const struct tensor_box *box) {
  const struct litmus_map *map = box->map;
  uint32_t corners = map->of[MAP_LOWER].count, rank = rank_of(map);
  struct row_walk walk = {0};
  for (uint32_t i = 1; i < rank; i++) {
    int64_t from = box->from[i];
    bool image = has_pixels(map) && i + 1 == rank, pixel = has_pixels(map) && i - 1 < corners;
    walk.at[i] = from;
    walk.low[i] = pixel ? map->of[MAP_LOWER].list[i - 1] : from;
    walk.high[i] = pixel             ? dim(map, i) - 1 + map->of[MAP_UPPER].list[i - 1]
                   : image           ? INT64_MAX
                   : has_pixels(map) ? from
                                     : from + map->of[MAP_BOX].list[i] - 1;
  }
  return walk;
}

static void go_on(struct row_walk *walk, const struct tensor_box *box, uint32_t row) {
  if (box_names_rows(box->mode)) {
    if (row + 2 < MOST_DIMENSIONS) walk->at[1] = box->from[row + 2];
    return;
  }
  for (uint32_t i = 1; i < rank_of(box->map); i++) {
    bool image = i + 1 == rank_of(box->map) && has_pixels(box->map);
    walk->at[i] += image ? 1 : step_of(box->map, i);
    if (walk->at[i] <= walk->high[i]) return;
    walk->at[i] = walk->low[i];
  }
}

bool box_begins_inside(const struct tensor_box *box) {
  struct row_walk walk = begin_walk(box);
  bool line = box_mode_row(box->mode)->kind == BOX_LINES, inside = true;
  for (uint32_t i = 1; i <= box->map->of[MAP_LOWER].count; i++)
    inside = inside && (line || walk.low[i] <= box->from[i]) && box->from[i] <= walk.high[i];
  return inside;
}

static void add_run(struct arena *arena, struct byte_runs *runs, uint32_t *capacity, struct byte_run run) {
  struct byte_run *last = runs->count ? &runs->list[runs->count - 1] : NULL;
  if (last && last->at + last->bytes == run.at && last->position + last->bytes == run.position) {
    last->bytes += run.bytes;
    return;
  }
  if (runs->count == *capacity) {
    struct byte_run *more = ARENA_ARRAY(arena, struct byte_run, 2 * *capacity);
    memcpy(more, runs->list, runs->count * sizeof *more);
    runs->list = more;
    *capacity *= 2;
  }
  runs->list[runs->count++] = run;
}

struct byte_runs box_rows(struct arena *arena, const struct tensor_box *box) {
  const struct litmus_map *map = box->map;
  uint32_t capacity = 8, element = element_bytes(map), row_bytes = (uint32_t)row_elements(map) * element;
  struct byte_runs runs = {.list = ARENA_ARRAY(arena, struct byte_run, capacity)};
  int64_t begin = box->from[0], end = begin + (int64_t)row_elements(map);
  int64_t first = begin < 0 ? 0 : begin, last = end > dim(map, 0) ? dim(map, 0) : end;
  struct row_walk walk = begin_walk(box);
  for (uint32_t row = 0; row < row_count(map, box->mode); go_on(&walk, box, row++)) {
    bool inside = first < last;
    uint64_t offset = (uint64_t)first * element;
    for (uint32_t i = 1; i < rank_of(map) && inside; i++) {
      int64_t coordinate = walk.at[i] + box->offsets[i];
      inside = coordinate >= 0 && coordinate < dim(map, i);
      offset += (uint64_t)coordinate * box_stride(map, i);
    }
    uint32_t position = row * row_bytes + (uint32_t)(first - begin) * element;
    if (inside)
      add_run(arena, &runs, &capacity,
              (struct byte_run){(uint32_t)offset, position, (uint32_t)(last - first) * element});
  }
  return runs;
}
