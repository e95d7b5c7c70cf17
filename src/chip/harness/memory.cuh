/* The memory of all launches: the arena, mapped several times and on two GPUs, and the resources for other proxies. */
#pragma once
#include "host.cuh"

template <class F> static F driver_function(const char *name) {
  void *function = NULL;
  cudaDriverEntryPointQueryResult found;
  must(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found), name);
  if (!function) fail(name, "not in this driver");
  return (F)function;
}

static void must_driver(CUresult status, const char *what) {
  if (status != CUDA_SUCCESS) fail(what, "the driver refuses");
}

static CUmemGenericAllocationHandle new_memory(worker &w, int device) {
  auto granularity = driver_function<decltype(&cuMemGetAllocationGranularity)>("cuMemGetAllocationGranularity");
  auto create = driver_function<decltype(&cuMemCreate)>("cuMemCreate");
  CUmemAllocationProp kind = {};
  kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  kind.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  size_t unit = 0;
  must_driver(granularity(&unit, &kind, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED), "cuMemGetAllocationGranularity");
  w.arena_size = ((size_t)arena_bytes + (64 << 20) + unit - 1) / unit * unit;
  CUmemGenericAllocationHandle handle;
  must_driver(create(&handle, w.arena_size, &kind, 0), "cuMemCreate");
  return handle;
}

/* Maps the memory of the GPUs, one after the other, several times (virtual aliases). Each GPU can access all of it. */
static void map_arena(worker &w) {
  auto reserve = driver_function<decltype(&cuMemAddressReserve)>("cuMemAddressReserve");
  auto map = driver_function<decltype(&cuMemMap)>("cuMemMap");
  auto allow = driver_function<decltype(&cuMemSetAccess)>("cuMemSetAccess");
  CUmemGenericAllocationHandle handles[max_gpus];
  CUmemAccessDesc access[max_gpus] = {};
  for (uint32_t g = 0; g < w.gpu_count; g++) {
    handles[g] = new_memory(w, w.gpus[g]);
    access[g].location = {CU_MEM_LOCATION_TYPE_DEVICE, w.gpus[g]};
    access[g].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  }
  for (int i = 0; i < max_aliases; i++) {
    CUdeviceptr at;
    must_driver(reserve(&at, w.arena_size * w.gpu_count, 0, 0, 0), "cuMemAddressReserve");
    for (uint32_t g = 0; g < w.gpu_count; g++)
      must_driver(map(at + g * w.arena_size, w.arena_size, 0, handles[g], 0), "cuMemMap");
    must_driver(allow(at, w.arena_size * w.gpu_count, access, w.gpu_count), "cuMemSetAccess");
    w.views[i] = (char *)at;
  }
}

/* Finds a second device, for tests that need two, if each can access the other's memory. */
static void find_peer(worker &w) {
  int count = 0, to = 0, from = 0;
  w.gpus[0] = w.o->device;
  w.gpu_count = 1;
  w.no_peer = "it needs a second GPU, and there is none";
  must(cudaGetDeviceCount(&count), "the devices");
  if (count < 2) return;
  w.gpus[1] = (w.o->device + 1) % count;
  must(cudaDeviceCanAccessPeer(&to, w.gpus[0], w.gpus[1]), "cudaDeviceCanAccessPeer");
  must(cudaDeviceCanAccessPeer(&from, w.gpus[1], w.gpus[0]), "cudaDeviceCanAccessPeer");
  w.no_peer = "it needs a second GPU that reaches the memory of the first";
  if (!to || !from) return;
  w.gpu_count = 2;
}

/* Allocates the memory by which each GPU learns that the launch on the other one has begun. */
static void open_peers(worker &w) {
  for (uint32_t g = w.gpu_count; g-- > 0;) {
    must(cudaSetDevice(w.gpus[g]), "the device");
    if (w.gpu_count > 1) must(cudaDeviceEnablePeerAccess(w.gpus[1 - g], 0), "cudaDeviceEnablePeerAccess");
    must(cudaMalloc(&w.arrived[g], sizeof *w.arrived[g]), "cudaMalloc");
    must(cudaMemset(w.arrived[g], 0, sizeof *w.arrived[g]), "cudaMemset");
  }
}

static void open_memory(worker &w) {
  find_peer(w);
  if (!w.wants_peer) w.gpu_count = 1;
  open_peers(w);
  map_arena(w);
  w.results_size = results_bytes;
  must(cudaMalloc(&w.results, w.results_size), "cudaMalloc");
  must(cudaMalloc(&w.unfinished, most_instances), "cudaMalloc");
  must(cudaMalloc(&w.scratch, (size_t)scratch_lines * 128), "cudaMalloc");
  must(cudaMalloc(&w.seen, sizeof *w.seen), "cudaMalloc");
}

/* ---- The memory of textures, surfaces and constants */

static void open_texture(worker &w) {
  cudaResourceDesc resource = {};
  cudaTextureDesc how = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = w.views[0];
  resource.res.linear.desc = cudaCreateChannelDesc<uint32_t>();
  must(cudaDeviceGetTexture1DLinearMaxWidth(&w.texels, &resource.res.linear.desc, w.o->device), "textures");
  if (w.texels > arena_bytes / 4) w.texels = arena_bytes / 4;
  resource.res.linear.sizeInBytes = w.texels * 4;
  how.readMode = cudaReadModeElementType;
  must(cudaCreateTextureObject(&w.texture, &resource, &how, NULL), "cudaCreateTextureObject");
}

static void open_array(worker &w) {
  cudaChannelFormatDesc word = cudaCreateChannelDesc<uint32_t>();
  cudaResourceDesc resource = {};
  cudaTextureDesc how = {};
  resource.resType = cudaResourceTypeArray;
  must(cudaMallocArray(&resource.res.array.array, &word, array_columns, arena_bytes / 4 / array_columns,
                       cudaArraySurfaceLoadStore),
       "cudaMallocArray");
  how.readMode = cudaReadModeElementType;
  must(cudaCreateTextureObject(&w.array_texture, &resource, &how, NULL), "cudaCreateTextureObject");
  must(cudaCreateSurfaceObject(&w.surface, &resource), "cudaCreateSurfaceObject");
}

static void make_map(const worker &w, const test &t, const char *to, CUtensorMap *map) {
  auto encode = driver_function<decltype(&cuTensorMapEncodeTiled)>("cuTensorMapEncodeTiled");
  cuuint64_t size = t.map_bytes, none = 0;
  cuuint32_t box = t.map_bytes, step = 1;
  (void)w;
  must_driver(encode(map, CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, (void *)to, &size, &none, &box, &step,
                     CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
              "cuTensorMapEncodeTiled");
}

/* Every instance has its own tensor maps, which the device writes from a template: they differ only in the address. */
static void prepare_map(worker &w, const test &t) {
  CUtensorMap one, other;
  const char *to[] = {w.views[0], w.views[0] + 4096};
  make_map(w, t, to[0], &one);
  make_map(w, t, to[1], &other);
  for (w.map_address = 0; w.map_address < sizeof one; w.map_address += 8) {
    CUtensorMap moved = one;
    if (memcmp((char *)&one + w.map_address, &to[0], 8) != 0) continue;
    memcpy((char *)&moved + w.map_address, &to[1], 8);
    if (memcmp(&moved, &other, sizeof moved) == 0) break;
  }
  if (w.map_address == sizeof one) fail(t.name, "this driver's tensor maps do not have the address as such");
  memcpy(w.map, &one, sizeof one);
}

/* Allocates resources that no earlier test needed. */
static void prepare_memory(worker &w, const test &t) {
  bool array = false;
  for (uint32_t i = 0; i < t.object_count; i++) array |= t.objects[i].home == in_array;
  if (t.map_bytes) prepare_map(w, t);
  if (t.textures && !w.texture) open_texture(w);
  if (array && !w.surface) open_array(w);
  w.constants = NULL;
  if (t.constants) must(cudaGetSymbolAddress((void **)&w.constants, t.constants), "cudaGetSymbolAddress");
}
