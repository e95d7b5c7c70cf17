/* Test files from the user's operands; and files written whole or not at all. */
#pragma once

#include <sys/stat.h>

#include "cli/options.h"

/* Adds the test files that an operand names: `operand` itself when it is no directory ("-" included, and a missing one:
 * reading it says why); in a directory every *.litmus and *.test file and those of its subdirectories, sorted by name.
 * Names that start with a dot are passed over, and so are links to directories. A path with * ? or [ that does not
 * exist is a pattern, and @FILE a file with a path or pattern on each line. False, with a message on stderr, when some
 * directory cannot be read, when a test in one is no regular file, when there is no test at all, or when a list from a
 * pipe is not there within so many seconds (0: no limit). */
bool files_find(const char *operand, double seconds, struct arena *arena, struct word_list *out);

/* True if a path leads to this file. */
bool files_are_one(const char *path, const struct stat *file);
/* True if a path ends as that of a kernel's source or module does, or of a header of one. */
bool files_are_source(const char *path);
/* True if one of the tests names the file that is at `output`: as a module, a source of one, or an included file. Other
 * words of a test may count as names too. */
bool files_are_named(const struct word_list *tests, const char *output);

/* DIRECTORY/NAME.litmus; NULL when the name cannot be a file's there, or should not. */
const char *files_of_test(struct arena *arena, const char *directory, const char *name);

/* Adds to the end of a file. False when that failed: errno says why. */
bool files_append(const char *path, const char *text);
