/* The parts of the asynchronous operations of async.c and tensor.c. Private to src/exec. */
#pragma once

#include "exec/walk.h"

struct byte_runs;

/* Bytes of one location; `base` is their address, which a tensor map may turn to another one like it. */
struct range {
  const struct view *view;
  uint32_t vaddr, bytes;
  term_id base;
  const struct byte_runs *runs; /* NULL: all from the address on */
};

/* The same bytes of another CTA's instance of the location; false when it has none. */
bool operation_range_in(struct walk *w, const struct range *range, uint32_t cta, struct range *out);

/* The places of a matrix in shared memory: the first element of a location, or the rows that the instruction names. */
bool operation_matrix(struct walk *w, const struct address *address, const struct byte_runs *runs, struct range *out);

/* The issue event, which the operation begins with; an access to `size` bytes of a range; the function that adds the
 * last event sets `operation->end`. */
void operation_issue(struct walk *w);
uint32_t operation_access(struct walk *w, enum event_kind kind, const struct range *range, uint32_t offset,
                          uint32_t size);

/* Reads of all pieces of a range. */
void operation_read(struct walk *w, const struct range *range);

/* Relates a read of the operation to the write of the same bytes. */
void operation_inner(struct walk *w, uint32_t from, uint32_t to);

/* A signal on an mbarrier object; its instance in another CTA, NO_OBJECT when it has none. */
void operation_signal(struct walk *w, uint32_t object, int32_t arrivals, uint32_t bytes);
uint32_t operation_object_in(struct walk *w, uint32_t object, uint32_t cta);

/* tensor.c: tcgen05. An address of tensor memory, false if it is not known; notes the address that tcgen05.alloc leaves
 * in shared memory, and the columns that an allocation treats alike; true if the CTAs that .cta_group needs exist, with
 * a hazard where the kernel mixes groups. */
void walk_tensor(struct walk *w);
void walk_tensor_commit(struct walk *w);
bool tensor_address(struct walk *w, const struct address *address, uint32_t *out);
void tensor_slot(struct walk *w, uint32_t vaddr, uint32_t address);
void tensor_columns(struct walk *w, uint32_t begin, uint32_t count);
bool tensor_group(struct walk *w);

/* columns.c: its allocation. */
void walk_tensor_alloc(struct walk *w);
void walk_tensor_free(struct walk *w);
void walk_tensor_relinquish(struct walk *w);
