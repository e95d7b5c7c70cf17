/* Finds test files from the user's operands, and appends to files. */
#pragma once

#include <sys/stat.h>

#include "cli/options.h"

/* Adds the test files that an operand names: `operand` itself if it is not a directory ("-", and a missing file, which
 * the reader will report); for a directory, every *.litmus and *.test file in it and in its subdirectories, sorted by
 * name. Names that start with a dot are skipped, and so are links to directories. @FILE is a file with one path per
 * line. False, with a message on stderr, if some directory cannot be read, if a test in one is not a regular file, if
 * there is no test at all, or if reading a list from a pipe takes more than `seconds` (0: no limit). `closed`: also if
 * a link leads out of its directory, or a list names a file outside its own, whether or not that is there. */
bool files_find(const char *operand, double seconds, bool closed, struct arena *arena, struct word_list *out);

/* True if a path leads to this file. */
bool files_are_one(const char *path, const struct stat *file);
/* True if a path has the ending of a kernel's source, of a header, or of a module. */
bool files_are_source(const char *path);
/* DIRECTORY/NAME.litmus; NULL if NAME cannot, or should not, be the name of a file there. */
const char *files_of_test(struct arena *arena, const char *directory, const char *name);
