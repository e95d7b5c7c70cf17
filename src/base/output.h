/* Writes output files that replace the old file only once they are complete. */
#pragma once

#include "base/base.h"

/* True if a file of this name is replaced by a new one. Others, such as /dev/stdout, a pipe or a link, are written in
 * place. */
bool output_replaces(const char *path);

/* The name of the file to replace: for a link to a plain file that of the file, so that the link stays; else the path
 * itself. To be freed; NULL without memory. */
char *output_target(const char *path);

/* Opens a file beside `path` for writing, under a new, unpredictable name, with the rights of any new file; *part is
 * that name, to be freed. -1, with errno, and *part NULL, if that failed. */
int output_beside(const char *path, char **part);

/* Gives the file its final name; with `fresh` an existing file is an error (EEXIST). False, with errno, if that fails;
 * then the file keeps its temporary name. */
bool output_name(const char *part, const char *path, bool fresh);

enum output_way {
  OUTPUT_REPLACE, /* an existing file; any that is not regular, such as /dev/stdout, is written in place */
  OUTPUT_FRESH,   /* an existing file is an error (EEXIST) */
  OUTPUT_GUARDED, /* others cannot write the new file, under any umask */
};

/* Writes a file so that it appears as a whole or not at all. False, with errno, if that failed: then nothing is left of
 * the file. */
bool output_write(const char *path, const char *data, size_t size, enum output_way way);
