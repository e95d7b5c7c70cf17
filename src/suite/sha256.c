#include "suite/sha256.h"

#include <string.h>

void sha256_init(struct sha256 *hash) { SHA256Init(&hash->context); }

void sha256_add(struct sha256 *hash, const void *data, size_t length) { SHA256Update(&hash->context, data, length); }

void sha256_add_text(struct sha256 *hash, const char *text) { sha256_add(hash, text, strlen(text) + 1); }

void sha256_bytes(struct sha256 *hash, unsigned char digest[32]) { SHA256Final(digest, &hash->context); }

void sha256_finish(struct sha256 *hash, char hex[65]) { SHA256End(&hash->context, hex); }
