/* SHA-256, computed by libmd: names for contents. */
#pragma once

#include <sys/types.h>

#include <sha2.h>

#include "base/base.h"

struct sha256 {
  SHA2_CTX context;
};

void sha256_init(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *data, size_t length);
/* Adds the text and a NUL, so that two texts in a row are not confused with others. */
void sha256_add_text(struct sha256 *hash, const char *text);
/* The digest. The hash must not be used after. */
void sha256_bytes(struct sha256 *hash, unsigned char digest[32]);
/* The same as 64 hexadecimal digits and a NUL. */
void sha256_finish(struct sha256 *hash, char hex[65]);
