/* Output files that replace the old file only once they are complete. */
#pragma once

#include "base/base.h"

/* True if a file of this name is replaced by another. Others, such as /dev/stdout, a pipe or a link, are written in
 * place. */
bool output_replaces(const char *path);

/* The name under which a file is to be replaced: where a link leads to a plain file, that of the file, so that the link
 * stays; otherwise the path itself. To be freed; NULL when there is no memory. */
char *output_target(const char *path);

/* Opens a file beside `path` for writing, under a name that nobody has or can foresee, with the rights of any new file;
 * *part is that name, to be freed. -1 when that failed: errno says why, and *part is NULL. */
int output_beside(const char *path, char **part);

/* Gives the file its name; with `fresh` it is an error (EEXIST) that there is one. Where that fails, errno says why,
 * and the file is still there. */
bool output_name(const char *part, const char *path, bool fresh);

enum output_way {
  OUTPUT_REPLACE, /* an existing file; any that is not regular, such as /dev/stdout, is written in place */
  OUTPUT_FRESH,   /* a file that is there is an error (EEXIST) */
  OUTPUT_GUARDED, /* as one that not everyone may write, whatever the umask says */
};

/* Writes a file so that it appears as a whole or not at all. False when that failed: errno says why, and nothing is
 * left of the file. */
bool output_write(const char *path, const char *data, size_t size, enum output_way way);
