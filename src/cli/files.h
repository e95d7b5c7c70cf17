/* Finds test files from the user's operands, and appends to files. */
#pragma once

#include <sys/stat.h>

#include "cli/options.h"

/* Adds the test files that an operand names: `operand` itself if it is no directory ("-" included, and a missing file,
 * which reading reports); of a directory every *.litmus and *.test file and those of its subdirectories, sorted by
 * name. Names that start with a dot are skipped, and so are links to directories. A path with * ? or [ that does not
 * exist is a pattern, and @FILE a file with a path or pattern on each line. False, with a message on stderr, if some
 * directory cannot be read, if a test in one is no regular file, if there is no test at all, or if reading a list from
 * a pipe takes more than so many seconds (0: no limit). */
bool files_find(const char *operand, double seconds, struct arena *arena, struct word_list *out);

/* True if a path leads to this file. */
bool files_are_one(const char *path, const struct stat *file);
/* True if a path has the ending of a kernel's source, of a header, or of a module. */
bool files_are_source(const char *path);
/* True if one of the tests names the file at `output` as a module, a source or an included file. Other words of a test
 * may count as names too. */
bool files_are_named(const struct word_list *tests, const char *output);

/* DIRECTORY/NAME.litmus; NULL if the name cannot, or should not, be that of a file there. */
const char *files_of_test(struct arena *arena, const char *directory, const char *name);

/* Appends to a file. False, with errno, if that failed. */
bool files_append(const char *path, const char *text);
