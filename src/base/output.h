/* Writes output files that replace the old file only once they are complete. */
#pragma once

#include "base/base.h"

/* True if output replaces the file of this name by a new file. Other files, such as /dev/stdout, a pipe or a link, are
 * written in place. */
bool output_replaces(const char *path);

/* The name of the file to replace: for a link to a plain file, the name of that file, so that the link stays; else the
 * path itself. The caller frees it; NULL if memory runs out. */
char *output_target(const char *path);

/* Opens a file for writing in the directory of `path`, under a new, unpredictable name, with the permissions of any new
 * file; *part is that name, which the caller frees. -1, with errno, and *part NULL, if that failed. */
int output_beside(const char *path, char **part);

/* Gives the file its final name; with `fresh` an existing file is an error (EEXIST). False, with errno, if that fails;
 * then the file keeps its temporary name. */
bool output_name(const char *part, const char *path, bool fresh);

/* Writes a file so that it appears as a whole or not at all. With `fresh` an existing file is an error (EEXIST); else
 * it is replaced, but one that is not regular, such as /dev/stdout, is written in place. False, with errno, if that
 * failed: then nothing is left of the file. */
bool output_write(const char *path, const char *data, size_t size, bool fresh);
