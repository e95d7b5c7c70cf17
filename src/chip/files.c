#include "chip/chip.h"

#include "chip/harness.h" /* generated from the files of src/chip/harness */

const struct chip_file chip_files[] = {
    {"chip.cuh", chip_cuh},     {"host.cuh", host_cuh},       {"count.cuh", count_cuh}, {"memory.cuh", memory_cuh},
    {"shapes.cuh", shapes_cuh}, {"results.cuh", results_cuh}, {"hosts.cuh", hosts_cuh}, {"main.cu", main_cu},
    {"Makefile", Makefile},     {"README", README},
};
const size_t chip_file_count = ARRAY_LEN(chip_files);
