/* Stands for the driver, CUPTI and a program that launches kernels: for the recorder where there is no GPU. Built three
 * times: as libcuda.so.1 (DRIVER), as libcupti.so (PROFILER) and as the program. The program shows one module as text,
 * one in a fat binary packed by LZ4 and one packed by zstd, both as blocks of literals, and one without PTX. */
#define _GNU_SOURCE
#include <cuda.h>
#include <cupti.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY ((CUdeviceptr)0x7f0000001000)
#define OTHER ((CUdeviceptr)0x7f0000400000)
enum { ARRAY_BYTES = 2048, OTHER_BYTES = 3 << 20, KERNELS = 4 };

#ifdef DRIVER
static const struct {
  const char *name;
  size_t sizes[3];
} kernels[KERNELS + 1] = {{0}, {"copy", {8, 8, 4}}, {"inner", {24, 128, 0}}, {"nothing", {0}}, {"copy", {8, 8, 4}}};

CUresult cuFuncGetName(const char **name, CUfunction f) {
  *name = (uintptr_t)f <= KERNELS ? kernels[(uintptr_t)f].name : NULL;
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuFuncGetParamInfo(CUfunction f, size_t i, size_t *at, size_t *size) {
  if (i >= 3 || !kernels[(uintptr_t)f].sizes[i]) return CUDA_ERROR_INVALID_VALUE;
  *at = i ? (i == 2 ? 16 : (kernels[(uintptr_t)f].sizes[0] + 63) / 64 * 64) : 0;
  *size = kernels[(uintptr_t)f].sizes[i];
  return CUDA_SUCCESS;
}
CUresult cuFuncGetModule(CUmodule *module, CUfunction f) {
  *module = (CUmodule)((uintptr_t)f + 100);
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice *device) {
  *device = 1;
  return CUDA_SUCCESS;
}
CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr at) {
  *base = at >= OTHER ? OTHER : ARRAY;
  *size = at >= OTHER ? OTHER_BYTES : ARRAY_BYTES;
  return at >= *base && at < *base + *size ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

#elif defined PROFILER
CUpti_CallbackFunc stub_callback;
CUptiResult CUPTIAPI cuptiSubscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *context) {
  (void)context;
  *subscriber = NULL;
  stub_callback = callback;
  return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiEnableDomain(uint32_t enable, CUpti_SubscriberHandle subscriber,
                                       CUpti_CallbackDomain domain) {
  (void)enable, (void)subscriber, (void)domain;
  return CUPTI_SUCCESS;
}

#else
static const char copy_text[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                                ".visible .entry copy(.param .u64 a, .param .u64 b, .param .u32 n)\n{\n"
                                "  .reg .pred %p<2>;\n  .reg .b32 %r<8>;\n  .reg .b64 %d<8>;\n"
                                "  ld.param.u64 %d1, [a];\n  ld.param.u64 %d2, [b];\n  ld.param.u32 %r1, [n];\n"
                                "  mov.u32 %r2, %tid.x;\n  setp.ge.u32 %p1, %r2, %r1;\n  @%p1 bra END;\n"
                                "  mul.wide.u32 %d3, %r2, 4;\n  add.s64 %d4, %d1, %d3;\n  add.s64 %d5, %d2, %d3;\n"
                                "  ld.global.u32 %r3, [%d4];\n  st.global.u32 [%d5], %r3;\nEND:\n  ret;\n}\n";
static const char inner_text[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry inner(.param .align 8 .b8 s[24], .param .align 64 .b8 m[128])\n{\n"
    "  .reg .b32 %r<2>;\n  .reg .b64 %d<4>;\n  ld.param.u64 %d1, [s+8];\n  mov.u32 %r1, 1;\n"
    "  st.global.u32 [%d1], %r1;\n  ret;\n}\n";

static CUpti_CallbackFunc call;

static void tell(CUpti_CallbackId id, CUpti_ApiCallbackSite site, const void *params) {
  CUresult result = CUDA_SUCCESS;
  CUpti_CallbackData data = {.callbackSite = site, .functionReturnValue = &result, .functionParams = params};
  call(NULL, CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
}

static void load(uintptr_t module, const void *image) {
  CUmodule handle = (CUmodule)module;
  tell(CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData, CUPTI_API_EXIT, &(cuModuleLoadData_params){&handle, image});
}

struct fat {
  uint32_t magic;
  uint16_t version, header;
  uint64_t size;
  uint16_t kind, unknown;
  uint32_t entry_header;
  uint64_t entry_size;
  uint32_t packed, none;
  uint16_t minor, major;
  uint32_t arch, name, name_length;
  uint64_t flags, zero, unpacked;
  uint8_t data[4096];
};

/* A fat binary with one PTX as a block of literals. */
static void load_packed(uintptr_t module, const char *text, int zstd) {
  size_t length = strlen(text), used = 0;
  struct fat *fat = calloc(1, sizeof *fat);
  if (zstd) {
    const uint32_t magic = 0xfd2fb528, block = 1 | (uint32_t)length << 3;
    memcpy(fat->data, &magic, 4), fat->data[4] = 0x60;
    fat->data[5] = (uint8_t)(length - 256), fat->data[6] = (uint8_t)((length - 256) >> 8);
    memcpy(fat->data + 7, &block, 3), used = 10;
  } else {
    size_t rest = length - 15;
    for (fat->data[used++] = 0xf0; rest >= 255; rest -= 255) fat->data[used++] = 255;
    fat->data[used++] = (uint8_t)rest;
  }
  memcpy(fat->data + used, text, length);
  fat->magic = 0xba55ed50, fat->version = 1, fat->header = 16, fat->kind = 1, fat->arch = 90;
  fat->entry_header = 64, fat->packed = (uint32_t)(used + length), fat->entry_size = (used + length + 7) / 8 * 8;
  fat->size = fat->entry_header + fat->entry_size, fat->unpacked = length;
  fat->flags = zstd ? 0x8000 : 0x2000;
  struct {
    uint32_t magic, version;
    const void *data;
  } wrapper = {0x466243b1, 1, fat};
  load(module, &wrapper);
  free(fat);
}

static void launch(uintptr_t f, unsigned grid, unsigned block, void **params) {
  const cuLaunchKernel_params p = {(CUfunction)f, grid, 1, 1, block, 1, 1, 0, NULL, params, NULL};
  tell(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, CUPTI_API_ENTER, &p);
}

int main(int argc, char **argv) {
  void *recorder = dlopen(getenv("CUDA_INJECTION64_PATH"), RTLD_NOW);
  int (*begin)(void) = recorder ? (int (*)(void))dlsym(recorder, "InitializeInjection") : NULL;
  if (!begin || begin() != 1) return 9;
  void *cupti = dlopen(getenv("PTXLIT_CUPTI"), RTLD_NOW);
  if (!cupti) return 0; /* the recorder has said so */
  call = *(CUpti_CallbackFunc *)dlsym(cupti, "stub_callback");

  load(101, copy_text);
  load_packed(102, inner_text, 0);
  load_packed(104, copy_text, 1);
  load(103, &(Elf64_Ehdr){.e_ident = ELFMAG, .e_phoff = sizeof(Elf64_Ehdr)}); /* no PTX, and nothing else */

  CUdeviceptr from = ARRAY + 512, to = OTHER;
  unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 32;
  launch(1, 1, 64, (void *[]){&from, &to, &n});
  launch(1, 1, 64, (void *[]){&from, &to, &n}); /* the same */
  from += 4;
  launch(1, 1, 64, (void *[]){&from, &to, &n}); /* differs in an address alone: the same */
  launch(4, 1, 32, (void *[]){&from, &to, &n});
  launch(3, 1, 1, NULL); /* no PTX */

  static CUtensorMap map;
  memset(&map, 7, sizeof map);
  const cuuint64_t dims[2] = {64, 32}, strides[1] = {128};
  const cuuint32_t box[2] = {64, 8}, steps[2] = {1, 1};
  tell(CUPTI_DRIVER_TRACE_CBID_cuTensorMapEncodeTiled, CUPTI_API_EXIT,
       &(cuTensorMapEncodeTiled_params){.tensorMap = &map,
                                        .tensorDataType = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                                        .tensorRank = 2,
                                        .globalAddress = (void *)(uintptr_t)OTHER,
                                        .globalDim = dims,
                                        .globalStrides = strides,
                                        .boxDim = box,
                                        .elementStrides = steps});
  struct {
    int32_t few, none;
    CUdeviceptr to;
    uint16_t half, other;
    float scale;
  } s = {-1, 0, OTHER + 64, 3, 4, 1.5f};
  CUlaunchAttribute cluster = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.clusterDim = {2, 1, 1}};
  const CUlaunchConfig config = {2, 1, 1, 1, 1, 1, 4096, NULL, &cluster, 1};
  tell(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, CUPTI_API_ENTER,
       &(cuLaunchKernelEx_params){&config, (CUfunction)2, (void *[]){&s, &map}, NULL});

  /* In another stream, one launch that may begin before the one before it has ended, and reads what that writes. */
  CUdeviceptr back = ARRAY;
  CUlaunchAttribute early = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
                             .value.programmaticStreamSerializationAllowed = 1};
  CUlaunchConfig chain = {1, 1, 1, 8, 1, 1, 0, (CUstream)5, &early, 0};
  cuLaunchKernelEx_params first = {&chain, (CUfunction)1, (void *[]){&back, &to, &n}, NULL};
  tell(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, CUPTI_API_ENTER, &first);
  chain.numAttrs = 1;
  back += 1024;
  cuLaunchKernelEx_params second = {&chain, (CUfunction)1, (void *[]){&to, &back, &n}, NULL};
  tell(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, CUPTI_API_ENTER, &second);
  from = to;
  launch(1, 1, 64, (void *[]){&from, &to, &n}); /* in place: another launch than that into another array */
  return argc > 2 ? atoi(argv[2]) : 0;
}
#endif
