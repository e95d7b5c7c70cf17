/* The library that `ptxlit record` loads into a program: it writes each distinct launch of a kernel as a test, with the
 * PTX of its module beside it (docs/record.md). The driver loads it at cuInit (CUDA_INJECTION64_PATH); it learns of
 * launches from CUPTI, and links to neither. It changes nothing and never ends the program: what it cannot do is a line
 * on stderr, and no test. */
#define _GNU_SOURCE

#include <ctype.h>
#include <cuda.h>
#include <cupti.h>
#include <dlfcn.h>
#include <elf.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PARAMS = 4096, MOST_SEEN = 1 << 16, MOST_MAPS = 4096, MOST_HANDLES = 1 << 14, MOST_OF_KERNEL = 16 };
enum { NAME_BYTES = 4096, TEXT_BYTES = 1 << 17, MAP_BYTES = 128, RANK = 5, MOST_STREAMS = 64, MOST_ADDRESSES = 64 };

/* A module or a library, and its PTX. */
struct image {
  const void *handle;
  uint64_t hash;
  bool has_ptx;
};

/* A kernel or a function that came from a module, a library or another kernel. */
struct origin {
  const void *handle, *from;
};

struct map {
  uint8_t bytes[MAP_BYTES];
  CUtensorMapDataType type;
  uint32_t rank, box[RANK], steps[RANK];
  uint64_t dims[RANK], strides[RANK];
  CUdeviceptr address;
};

/* A kernel that was launched: what its parameters are, and how many launches of it were written. */
struct kernel {
  CUfunction function;
  uint32_t count, written, at[MOST_PARAMS / 8], size[MOST_PARAMS / 8];
  uint64_t image;
  bool unusable;
  char name[NAME_BYTES];
};

/* What a launch is, however it was made. */
struct launch {
  CUfunction function;
  uint32_t grid[3], block[3], cluster[3], shared;
  void **params, **extra;
  CUstream stream;
  bool cooperative, overlaps;
};

/* The latest launch in a stream, with its own copy of the parameters. */
struct latest {
  struct launch launch;
  const struct kernel *kernel; /* NULL: one that cannot be written */
  int gpu;
  char test[64]; /* the name of its test */
  void *params[MOST_PARAMS / 8];
  uint8_t bytes[MOST_PARAMS];
};

/* The state of the recorder: a library in another program has no owner to hold it. */
static struct {
  pthread_mutex_t lock;
  const char *directory;
  void *driver, *zstd;
  struct image *images;
  struct origin *origins;
  struct map *maps;
  struct kernel **kernels;
  struct latest *streams;
  __typeof__(cuCtxGetDevice) *get_device;
  uint64_t *seen, launches;
  size_t stream_count, image_count, origin_count, map_count, kernel_count, seen_count;
  bool full;
} recorder = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __thread bool inside; /* the recorder itself calls the driver */

static void say(const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fprintf(stderr, "ptxlit record: %s\n", text);
}

static uint64_t mix(uint64_t hash, const void *data, size_t size) {
  const uint8_t *bytes = data;
  for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

#define CALL(name, ...)                                                                                                \
  ({                                                                                                                   \
    __typeof__(name) *call_ = (__typeof__(name) *)dlsym(recorder.driver, #name);                                       \
    call_ ? call_(__VA_ARGS__) : CUDA_ERROR_NOT_FOUND;                                                                 \
  })

/* ---- PTX of images */

/* A block of LZ4: literals and copies of earlier bytes. False: it is damaged. */
static bool unpack_lz4(const uint8_t *in, size_t size, char *out, size_t room) {
  const uint8_t *end = in + size;
  size_t at = 0;
  while (in < end) {
    unsigned token = *in++;
    size_t literals = token >> 4, length = (token & 15) + 4, offset;
    for (uint8_t more = 255; literals >= 15 && more == 255 && in < end;) literals += more = *in++;
    if (literals > (size_t)(end - in) || literals > room - at) return false;
    memcpy(out + at, in, literals), at += literals, in += literals;
    if (end - in < 2) return at == room;
    offset = in[0] | (size_t)in[1] << 8, in += 2;
    for (uint8_t more = 255; length >= 19 && more == 255 && in < end;) length += more = *in++;
    if (!offset || offset > at || length > room - at) return false;
    for (size_t i = 0; i < length; i++, at++) out[at] = out[at - offset];
  }
  return at == room;
}

static bool unpack_zstd(const uint8_t *in, size_t size, char *out, size_t room) {
  if (!recorder.zstd) recorder.zstd = dlopen("libzstd.so.1", RTLD_NOW);
  size_t (*unpack)(void *, size_t, const void *, size_t) =
      recorder.zstd ? (size_t(*)(void *, size_t, const void *, size_t))dlsym(recorder.zstd, "ZSTD_decompress") : NULL;
  if (!unpack) say("libzstd.so.1 is missing: build with nvcc -Xfatbin -compress=false");
  return unpack && unpack(out, room, in, size) == room;
}

/* An entry of a fat binary, as cuobjdump shows them. */
struct fat_entry {
  uint16_t kind, version;
  uint32_t header;
  uint64_t size;
  uint32_t packed, unknown;
  uint16_t minor, major;
  uint32_t arch, name, name_length;
  uint64_t flags, zero, unpacked;
};

struct fat_header {
  uint32_t magic;
  uint16_t version, header;
  uint64_t size;
};

enum { FAT_MAGIC = 0x50, FAT_PTX = 1, FAT_LZ4 = 0x2000, FAT_ZSTD = 0x8000 };

/* The PTX of an entry, which the caller frees; NULL: it has none that can be read. */
static char *entry_text(const uint8_t *at, const struct fat_entry *e) {
  bool packed = e->flags & (FAT_LZ4 | FAT_ZSTD);
  size_t room = packed ? e->unpacked : e->size;
  if (room > (size_t)1 << 30) return NULL;
  char *text = calloc(room + 1, 1);
  const uint8_t *data = at + e->header;
  bool right = text && (!packed               ? (memcpy(text, data, room), true)
                        : e->flags & FAT_ZSTD ? unpack_zstd(data, e->packed, text, room)
                                              : unpack_lz4(data, e->packed, text, room));
  if (right) return text;
  free(text);
  return NULL;
}

/* The PTX of the highest target in a fat binary. */
static char *fat_text(const struct fat_header *h) {
  const uint8_t *at = (const uint8_t *)h + h->header, *end = at + h->size;
  char *best = NULL;
  uint32_t arch = 0;
  while (end - at >= (ptrdiff_t)sizeof(struct fat_entry)) {
    struct fat_entry e;
    memcpy(&e, at, sizeof e);
    if (e.size > (size_t)(end - at) || e.header > (size_t)(end - at) - e.size) break;
    char *text = e.kind == FAT_PTX && (!best || e.arch > arch) ? entry_text(at, &e) : NULL;
    if (text) free(best), best = text, arch = e.arch;
    at += e.header + e.size;
  }
  return best;
}

static size_t elf_size(const uint8_t *image) {
  Elf64_Ehdr h;
  memcpy(&h, image, sizeof h);
  size_t sections = h.e_shoff + (size_t)h.e_shnum * h.e_shentsize;
  size_t segments = h.e_phoff + (size_t)h.e_phnum * h.e_phentsize;
  size_t size = sections > segments ? sections : segments;
  return size <= (size_t)1 << 30 ? size : 0;
}

static void write_file(const char *path, const void *data, size_t size) {
  FILE *file = access(path, F_OK) == 0 ? NULL : fopen(path, "wx");
  bool right = file && fwrite(data, 1, size, file) == size;
  if (file && (fclose(file) != 0 || !right)) say("cannot write '%s'", path), unlink(path);
}

/* Writes the PTX of an image, or a cubin by which `ptxlit record` finds PTX beside an equal one. */
static void add_image(const void *handle, const void *data) {
  const struct fat_header *fat = data;
  uint32_t magic;
  if (!data || !handle) return;
  memcpy(&magic, data, sizeof magic);
  if (magic == 0x466243b1u) { /* the wrapper: magic, version, data */
    memcpy(&fat, (const uint8_t *)data + 8, sizeof fat);
    magic = fat->magic;
  }
  char *text = NULL, path[NAME_BYTES];
  size_t cubin = 0;
  if (magic == 0xba55ed50u) text = fat_text(fat);
  else if (memcmp(data, ELFMAG, SELFMAG) == 0) cubin = elf_size(data);
  else if (isspace(*(const uint8_t *)data) || *(const uint8_t *)data == '/' || *(const uint8_t *)data == '.')
    text = strdup(data);
  uint64_t hash = text    ? mix(0xcbf29ce484222325u, text, strlen(text))
                  : cubin ? mix(0xcbf29ce484222325u, data, cubin)
                          : 0;
  if (hash) {
    snprintf(path, sizeof path, "%s/%016llx.%s", recorder.directory, (unsigned long long)hash, text ? "ptx" : "cubin");
    write_file(path, text ? text : data, text ? strlen(text) : cubin);
  }
  struct image *images = realloc(recorder.images, (recorder.image_count + 1) * sizeof *images);
  if (images) {
    recorder.images = images;
    images[recorder.image_count++] = (struct image){handle, hash, text != NULL};
  }
  free(text);
}

static void add_image_file(const void *handle, const char *name) {
  FILE *file = name ? fopen(name, "rb") : NULL;
  if (!file) return;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  char *data = size > 0 ? calloc((size_t)size + 1, 1) : NULL;
  rewind(file);
  if (data && fread(data, 1, (size_t)size, file) == (size_t)size) add_image(handle, data);
  free(data);
  fclose(file);
}

static void add_origin(const void *handle, const void *from) {
  if (!handle || recorder.origin_count == MOST_HANDLES) return;
  recorder.origins[recorder.origin_count++] = (struct origin){handle, from};
}

/* The image of a function, through kernels, modules and libraries; the latest answer counts: handles are used again. */
static const struct image *image_of(const void *handle) {
  for (int step = 0; step < 4 && handle; step++) {
    for (size_t i = recorder.image_count; i-- > 0;)
      if (recorder.images[i].handle == handle) return &recorder.images[i];
    const void *from = NULL;
    for (size_t i = recorder.origin_count; i-- > 0 && !from;)
      if (recorder.origins[i].handle == handle) from = recorder.origins[i].from;
    handle = from;
  }
  return NULL;
}

static const struct image *image_by_driver(CUfunction f) {
  CUmodule module = NULL;
  CUlibrary library = NULL;
  const struct image *image = image_of(f);
  if (!image && CALL(cuFuncGetModule, &module, f) == CUDA_SUCCESS) image = image_of(module);
  if (!image && CALL(cuKernelGetLibrary, &library, (CUkernel)f) == CUDA_SUCCESS) image = image_of(library);
  return image ? image : recorder.image_count == 1 ? &recorder.images[0] : NULL;
}

/* ---- kernels */

static bool read_name(CUfunction f, char name[NAME_BYTES]) {
  const char *text = NULL;
  if (CALL(cuFuncGetName, &text, f) != CUDA_SUCCESS && CALL(cuKernelGetName, &text, (CUkernel)f) != CUDA_SUCCESS)
    return false;
  if (text) snprintf(name, NAME_BYTES, "%s", text);
  return text && strlen(text) < NAME_BYTES;
}

static bool read_param(CUfunction f, uint32_t i, size_t *at, size_t *size) {
  return CALL(cuFuncGetParamInfo, f, i, at, size) == CUDA_SUCCESS ||
         CALL(cuKernelGetParamInfo, (CUkernel)f, i, at, size) == CUDA_SUCCESS;
}

static struct kernel *kernel_of(CUfunction f) {
  for (size_t i = recorder.kernel_count; i-- > 0;)
    if (recorder.kernels[i]->function == f) return recorder.kernels[i];
  struct kernel *k = calloc(1, sizeof *k),
                **list = realloc(recorder.kernels, (recorder.kernel_count + 1) * sizeof *list);
  if (list) recorder.kernels = list;
  if (!k || !list) return free(k), NULL;
  size_t at, size;
  k->function = f;
  const struct image *image = image_by_driver(f);
  k->image = image ? image->hash : 0;
  for (; k->count < MOST_PARAMS / 8 && read_param(f, k->count, &at, &size); k->count++)
    k->at[k->count] = (uint32_t)at, k->size[k->count] = (uint32_t)size;
  k->unusable = !read_name(f, k->name) || !k->image;
  if (k->unusable) say("no module is known for kernel '%s': its launches are left out", k->name);
  list[recorder.kernel_count++] = k;
  return k;
}

/* ---- tests */

struct test {
  char text[TEXT_BYTES], arguments[TEXT_BYTES];
  size_t length, argument_length;
  CUdeviceptr bases[256];
  uint32_t arrays, maps;
  bool full;
};

static void add_to(char *text, size_t *length, bool *full, const char *format, va_list args) {
  int more = vsnprintf(text + *length, TEXT_BYTES - *length, format, args);
  *full = *full || more < 0 || (size_t)more >= TEXT_BYTES - *length;
  if (!*full) *length += (size_t)more;
}

static void add_line(struct test *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add_to(t->text, &t->length, &t->full, format, args);
  va_end(args);
}

static void add_argument(struct test *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add_to(t->arguments, &t->argument_length, &t->full, format, args);
  va_end(args);
}

/* The array of an address in memory of the device, which is declared at its first use. False: it is none. */
static bool find_array(struct test *t, uint64_t address, uint32_t *number, uint64_t *offset) {
  CUdeviceptr base;
  size_t size;
  if (address < 1 << 16) return false;
  if (CALL(cuMemGetAddressRange_v2, &base, &size, address) != CUDA_SUCCESS || address - base >= size) return false;
  *offset = address - base;
  for (*number = 0; *number < t->arrays && t->bases[*number] != base; ++*number)
    ;
  if (*number < t->arrays) return true;
  if (t->arrays == sizeof t->bases / sizeof *t->bases) return false;
  t->bases[t->arrays++] = base;
  if (size > UINT32_MAX / 2) size = UINT32_MAX / 2;
  add_line(t, ".b8 p%u[%zu];\n", *number, size);
  return true;
}

static const char *map_type(CUtensorMapDataType type) {
  static const char *const types[] = {".u8",  ".u16", ".u32",  ".s32", ".u64", ".s64", ".f16",
                                      ".f32", ".f64", ".bf16", ".b32", ".b32", ".b32"};
  return (size_t)type < sizeof types / sizeof *types ? types[type] : ".b8";
}

static bool add_map(struct test *t, const struct map *m) {
  uint32_t array, number = t->maps++;
  uint64_t offset;
  if (!find_array(t, m->address, &array, &offset)) return false;
  add_line(t, "tensormap m%u = {p%u", number, array);
  if (offset) add_line(t, "+%llu", (unsigned long long)offset);
  add_line(t, ", %s, dims", map_type(m->type));
  for (uint32_t i = 0; i < m->rank; i++) add_line(t, " %llu", (unsigned long long)m->dims[i]);
  for (uint32_t i = 0; i + 1 < m->rank; i++)
    add_line(t, "%s %llu", i ? "" : ", strides", (unsigned long long)m->strides[i]);
  add_line(t, ", box");
  for (uint32_t i = 0; i < m->rank; i++) add_line(t, " %u", m->box[i]);
  add_line(t, "};\n");
  add_argument(t, "m%u", number);
  return true;
}

static const struct map *find_map(const uint8_t *bytes) {
  for (size_t i = recorder.map_count; i-- > 0;)
    if (memcmp(recorder.maps[i].bytes, bytes, MAP_BYTES) == 0) return &recorder.maps[i];
  return NULL;
}

/* The bytes of a parameter as the members of a structure: maps, addresses and numbers. */
static void add_param(struct test *t, const uint8_t *bytes, uint32_t size) {
  add_argument(t, "{");
  for (uint32_t at = 0, step; at < size; at += step) {
    uint32_t number;
    uint64_t value = 0, offset;
    const struct map *map = at % 64 == 0 && size - at >= MAP_BYTES ? find_map(bytes + at) : NULL;
    for (step = 8; at % step || at + step > size;) step /= 2;
    memcpy(&value, bytes + at, step);
    if (at) add_argument(t, ", ");
    if (map && add_map(t, map)) step = MAP_BYTES;
    else if (step == 8 && find_array(t, value, &number, &offset)) {
      add_argument(t, "p%u", number);
      if (offset) add_argument(t, "+%llu", (unsigned long long)offset);
    } else add_argument(t, ".u%u %llu", 8 * step, (unsigned long long)value);
  }
  add_argument(t, "}");
}

static const uint8_t *param_at(const struct launch *l, const struct kernel *k, uint32_t i) {
  if (l->params) return l->params[i];
  for (void **at = l->extra; at && *at != CU_LAUNCH_PARAM_END; at += 2)
    if (*at == CU_LAUNCH_PARAM_BUFFER_POINTER) return (const uint8_t *)at[1] + k->at[i];
  return NULL;
}

static void write_sizes(struct test *t, const char *word, const uint32_t size[3]) {
  add_line(t, "%s %u", word, size[0]);
  if (size[1] > 1 || size[2] > 1) add_line(t, " %u", size[1]);
  if (size[2] > 1) add_line(t, " %u", size[2]);
}

static void add_params(struct test *t, const struct launch *l, const struct kernel *k) {
  for (uint32_t i = 0; i < k->count; i++) {
    const uint8_t *bytes = param_at(l, k, i);
    if (i) add_argument(t, ", ");
    if (!bytes) t->full = true;
    else add_param(t, bytes, k->size[i]);
  }
}

static void write_kernel(struct test *t, const struct launch *l, const struct kernel *k, const char *arguments) {
  add_line(t, "kernel \"%016llx.ptx\" %s(%s)\n", (unsigned long long)k->image, k->name, arguments);
  write_sizes(t, "grid", l->grid);
  write_sizes(t, " block", l->block);
  if (l->cluster[0]) write_sizes(t, " cluster", l->cluster);
  if (l->shared) add_line(t, " shared %u", l->shared);
  if (l->cooperative) add_line(t, " cooperative");
  add_line(t, " threads grouped\n");
}

/* The place of the launch among the others: which one it is, where, and after which one it begins or may overlap. */
static void write_place(struct test *t, const struct launch *l, const struct latest *before, int gpu) {
  add_line(t, "Launch=%llu, gpu %d, stream %zu", (unsigned long long)recorder.launches, gpu,
           (size_t)(before - recorder.streams));
  if (*before->test) add_line(t, ", %s %s", l->overlaps ? "may overlap" : "after", before->test);
  add_line(t, "\n");
}

/* A launch with programmatic dependence is in one test with the launch on which it depends. */
static void write_launch(const struct launch *l, struct kernel *k, const struct latest *before, const char *name,
                         int gpu) {
  struct test *t = calloc(1, sizeof *t);
  char path[2 * NAME_BYTES], *first = NULL;
  const struct kernel *other = l->overlaps ? before->kernel : NULL;
  if (!t) return;
  add_line(t, "PTX %s\n", name);
  write_place(t, l, before, gpu);
  add_line(t, "Expect=ptx:Safe\n{\n");
  if (other) {
    add_params(t, &before->launch, other);
    first = strdup(t->arguments);
    t->argument_length = 0, *t->arguments = '\0';
  }
  add_params(t, l, k);
  if (other) add_line(t, "grid 1 after grid 0;\n");
  add_line(t, "}\n");
  if (other && first) write_kernel(t, &before->launch, other, first);
  write_kernel(t, l, k, t->arguments);
  add_line(t, "safe\n");
  snprintf(path, sizeof path, "%s/%s.litmus", recorder.directory, name);
  if (t->full || (other && !first)) say("a launch of '%s' has too many parameters to be written", k->name);
  else write_file(path, t->text, t->length);
  k->written++;
  free(first);
  free(t);
}

/* The latest launch in the stream of another; an empty one: there is none. The default stream has a number of its own.
 */
static struct latest *latest_in(const struct launch *l, int gpu) {
  for (size_t i = 0; i < recorder.stream_count; i++)
    if (recorder.streams[i].launch.stream == l->stream && recorder.streams[i].gpu == gpu) return &recorder.streams[i];
  if (recorder.stream_count == MOST_STREAMS) recorder.stream_count = 0;
  struct latest *latest = &recorder.streams[recorder.stream_count++];
  *latest = (struct latest){.launch = {.stream = l->stream}, .gpu = gpu};
  return latest;
}

static void remember(struct latest *latest, const struct launch *l, const struct kernel *k, const char *name) {
  latest->launch = *l;
  latest->launch.params = latest->params, latest->launch.extra = NULL;
  latest->kernel = k && !k->unusable ? k : NULL;
  snprintf(latest->test, sizeof latest->test, "%s", name);
  for (uint32_t i = 0, at = 0; latest->kernel && i < k->count; at += k->size[i++]) {
    const uint8_t *bytes = param_at(l, k, i);
    if (!bytes || k->size[i] > sizeof latest->bytes - at) latest->kernel = NULL;
    else latest->params[i] = memcpy(latest->bytes + at, bytes, k->size[i]);
  }
}

static bool was_seen(uint64_t raw) {
  size_t at = raw % MOST_SEEN;
  for (; recorder.seen[at] && recorder.seen[at] != raw; at = (at + 1) % MOST_SEEN)
    ;
  if (recorder.seen[at]) return true;
  if (recorder.seen_count == MOST_SEEN / 2) return true;
  recorder.seen[at] = raw, recorder.seen_count++;
  return false;
}

/* Two launches with other addresses are the same one: what counts are sizes, bytes that are no address, which addresses
 * are equal, and on which kernel a launch depends. */
static uint64_t key_of(const struct launch *l, const struct kernel *k, const struct latest *before) {
  uint64_t key = mix(mix(0xcbf29ce484222325u, k->name, strlen(k->name)), &k->image, sizeof k->image);
  uint64_t addresses[MOST_ADDRESSES];
  size_t count = 0;
  key = mix(mix(mix(key, l->grid, sizeof l->grid), l->block, sizeof l->block), l->cluster, sizeof l->cluster);
  key = mix(mix(key, &l->shared, sizeof l->shared), &l->cooperative, sizeof l->cooperative);
  if (l->overlaps && before->kernel) key = mix(key, before->kernel->name, strlen(before->kernel->name));
  for (uint32_t i = 0; i < k->count; i++) {
    const uint8_t *bytes = param_at(l, k, i);
    for (uint32_t at = 0, step; bytes && at < k->size[i]; at += step) {
      uint64_t value = 0, equal = 0;
      step = k->size[i] - at < 8 ? k->size[i] - at : 8;
      memcpy(&value, bytes + at, step);
      if (value >> 40) {
        while (equal < count && addresses[equal] != value) equal++;
        if (equal == count && count < MOST_ADDRESSES) addresses[count++] = value;
        value = equal + 1; /* offset and extent are not compared */
      }
      key = mix(key, &value, sizeof value);
    }
  }
  return key ? key : 1;
}

static void record(const struct launch *l) {
  struct kernel *k = kernel_of(l->function);
  CUdevice gpu = 0;
  char name[64] = "";
  if (recorder.get_device) recorder.get_device(&gpu);
  struct latest *before = latest_in(l, gpu);
  recorder.launches++;
  if (k) {
    uint64_t key = key_of(l, k, before);
    int length = snprintf(name, sizeof name, "%.40s", k->name);
    for (char *at = name; *at; at++)
      if (!isalnum((unsigned char)*at)) *at = '_';
    if (!k->unusable) snprintf(name + length, sizeof name - (size_t)length, "-%08x", (unsigned)(key ^ key >> 32));
    bool fits = !k->unusable && k->written < MOST_OF_KERNEL;
    if (fits && !was_seen(key)) write_launch(l, k, before, name, gpu);
  }
  remember(before, l, k, name);
}

/* ---- CUPTI */

#define SIZES(p)                                                                                                       \
  {(p)->gridDimX, (p)->gridDimY, (p)->gridDimZ}, {(p)->blockDimX, (p)->blockDimY, (p)->blockDimZ}, {0},                \
      (p)->sharedMemBytes

static void launch_by_config(const cuLaunchKernelEx_params *p) {
  const CUlaunchConfig *c = p->config;
  struct launch l = {p->f, SIZES(c), p->kernelParams, p->extra, c->hStream, false, false};
  for (unsigned i = 0; i < c->numAttrs; i++) {
    const CUlaunchAttributeValue *value = &c->attrs[i].value;
    if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      l.cluster[0] = value->clusterDim.x, l.cluster[1] = value->clusterDim.y, l.cluster[2] = value->clusterDim.z;
    if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) l.cooperative = value->cooperative;
    if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
      l.overlaps = value->programmaticStreamSerializationAllowed;
  }
  record(&l);
}

static void add_tensor_map(const cuTensorMapEncodeTiled_params *p) {
  struct map *m = &recorder.maps[recorder.map_count % MOST_MAPS];
  if (p->tensorRank > RANK || !p->tensorMap) return;
  *m = (struct map){.type = p->tensorDataType, .rank = p->tensorRank, .address = (CUdeviceptr)p->globalAddress};
  memcpy(m->bytes, p->tensorMap, MAP_BYTES);
  for (uint32_t i = 0; i < m->rank; i++) {
    m->dims[i] = p->globalDim[i], m->box[i] = p->boxDim[i], m->steps[i] = p->elementStrides[i];
    if (i + 1 < m->rank) m->strides[i] = p->globalStrides[i];
  }
  if (recorder.map_count < MOST_MAPS) recorder.map_count++;
}

#define OF(name) CUPTI_DRIVER_TRACE_CBID_##name
#define BOTH(name)                                                                                                     \
  case OF(name):                                                                                                       \
  case OF(name##_ptsz)

/* A call begins: the launches. */
static void before_call(CUpti_CallbackId id, const void *params) {
  switch ((CUpti_driver_api_trace_cbid)id) {
    BOTH(cuLaunchKernel) : {
      const cuLaunchKernel_params *p = params;
      record(&(struct launch){p->f, SIZES(p), p->kernelParams, p->extra, p->hStream, false, false});
      break;
    }
    BOTH(cuLaunchCooperativeKernel) : {
      const cuLaunchCooperativeKernel_params *p = params;
      record(&(struct launch){p->f, SIZES(p), p->kernelParams, NULL, p->hStream, true, false});
      break;
    }
    BOTH(cuLaunchKernelEx) : launch_by_config(params);
    break;
    default: break;
  }
}

/* A call has succeeded: it made something. */
static void after_call(CUpti_CallbackId id, const void *params) {
#define MADE(name, what)                                                                                               \
  case OF(name): {                                                                                                     \
    const name##_params *p = params;                                                                                   \
    what;                                                                                                              \
    break;                                                                                                             \
  }
  switch ((CUpti_driver_api_trace_cbid)id) {
    MADE(cuModuleLoadData, add_image(*p->module, p->image))
    MADE(cuModuleLoadDataEx, add_image(*p->module, p->image))
    MADE(cuModuleLoadFatBinary, add_image(*p->module, p->fatCubin))
    MADE(cuModuleLoad, add_image_file(*p->module, p->fname))
    MADE(cuLibraryLoadData, add_image(*p->library, p->code))
    MADE(cuLibraryLoadFromFile, add_image_file(*p->library, p->fileName))
    MADE(cuModuleGetFunction, add_origin(*p->hfunc, p->hmod))
    MADE(cuLibraryGetKernel, add_origin(*p->pKernel, p->library))
    MADE(cuKernelGetFunction, add_origin(*p->pFunc, p->kernel))
    MADE(cuLibraryGetModule, add_origin(*p->pMod, p->library))
    MADE(cuTensorMapEncodeTiled, add_tensor_map(p))
    default: break;
  }
}

static void CUPTIAPI called(void *context, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data) {
  const CUpti_CallbackData *d = data;
  (void)context;
  if (domain != CUPTI_CB_DOMAIN_DRIVER_API || inside) return;
  bool exits = d->callbackSite == CUPTI_API_EXIT;
  if (exits && (!d->functionReturnValue || *(CUresult *)d->functionReturnValue != CUDA_SUCCESS)) return;
  inside = true;
  pthread_mutex_lock(&recorder.lock);
  if (exits) after_call(id, d->functionParams);
  else before_call(id, d->functionParams);
  pthread_mutex_unlock(&recorder.lock);
  inside = false;
}

static void *open_first(const char *const *names) {
  void *found = NULL;
  for (; *names && !found; names++) found = **names ? dlopen(*names, RTLD_NOW) : NULL;
  return found;
}

static bool begin(void) {
  const char *given = getenv("PTXLIT_CUPTI");
  const char *const cupti_names[] = {given ? given : "",
                                     "libcupti.so.13",
                                     "libcupti.so.12",
                                     "libcupti.so",
                                     "/usr/local/cuda/lib64/libcupti.so",
                                     "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so",
                                     NULL};
  const char *const driver_names[] = {"libcuda.so.1", "libcuda.so", NULL};
  recorder.directory = getenv("PTXLIT_RECORD_DIR");
  recorder.driver = open_first(driver_names);
  void *cupti = open_first(cupti_names);
  if (!recorder.directory || !recorder.driver) return say("nothing is recorded: no directory or no driver"), false;
  recorder.get_device = (__typeof__(cuCtxGetDevice) *)dlsym(recorder.driver, "cuCtxGetDevice");
  if (!cupti) return say("nothing is recorded: libcupti.so is not found; PTXLIT_CUPTI gives its path"), false;
  typedef CUptiResult subscribe(CUpti_SubscriberHandle *, CUpti_CallbackFunc, void *);
  typedef CUptiResult enable(uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain);
  subscribe *subscribes = (subscribe *)dlsym(cupti, "cuptiSubscribe");
  enable *enables = (enable *)dlsym(cupti, "cuptiEnableDomain");
  CUpti_SubscriberHandle subscriber;
  recorder.seen = calloc(MOST_SEEN, sizeof *recorder.seen);
  recorder.maps = calloc(MOST_MAPS, sizeof *recorder.maps);
  recorder.streams = calloc(MOST_STREAMS, sizeof *recorder.streams);
  recorder.origins = calloc(MOST_HANDLES, sizeof *recorder.origins);
  bool right = subscribes && enables && recorder.seen && recorder.maps && recorder.streams && recorder.origins &&
               subscribes(&subscriber, called, NULL) == CUPTI_SUCCESS &&
               enables(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API) == CUPTI_SUCCESS;
  if (!right) say("nothing is recorded: CUPTI refuses; a program has one profiler at a time");
  return right;
}

/* The driver calls this at cuInit. */
__attribute__((visibility("default"))) int InitializeInjection(void) {
  inside = true;
  begin();
  inside = false;
  return 1;
}
