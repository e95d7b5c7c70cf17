#include "chip/chip.h"

#include "chip/harness.h" /* made from the files of src/chip/harness */

const struct chip_file chip_files[] = {
    {"chip.cuh", chip_cuh},
    {"main.cu", main_cu},
    {"Makefile", Makefile},
    {"README", README},
};
const size_t chip_file_count = ARRAY_LEN(chip_files);
