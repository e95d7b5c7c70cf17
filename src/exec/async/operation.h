/* The parts of the asynchronous operations of async.c and tensor.c. Private to src/exec. */
#pragma once

#include "exec/walk.h"

struct byte_runs;

/* Bytes of one location; `base` is their address, which a tensor map may change to that of a similar location. */
struct range {
  const struct view *view;
  uint32_t vaddr, bytes;
  term_id base;
  const struct byte_runs *runs; /* NULL: all bytes from the address on */
};

/* The same bytes of another CTA's instance of the location; false if there is none. */
bool operation_range_in(struct walk *w, const struct range *range, uint32_t cta, struct range *out);

/* The places of a matrix in shared memory: the first element of a location, or the rows that the instruction names. */
bool operation_matrix(struct walk *w, const struct address *address, const struct byte_runs *runs, struct range *out);

/* operation_issue: adds the issue event, with which the operation begins. operation_access: adds an access to `size`
 * bytes of a range. The function that adds the last event sets `operation->end`. */
void operation_issue(struct walk *w);
uint32_t operation_access(struct walk *w, enum event_kind kind, const struct range *range, uint32_t offset,
                          uint32_t size);

/* Adds reads of all pieces of a range. */
void operation_read(struct walk *w, const struct range *range);

/* Relates a read of the operation to the write of the same bytes. */
void operation_inner(struct walk *w, uint32_t from, uint32_t to);

/* operation_signal: adds a signal on an mbarrier object. operation_object_in: its instance in another CTA, or
 * NO_OBJECT. */
void operation_signal(struct walk *w, uint32_t object, uint32_t arrivals, uint32_t bytes);
uint32_t operation_object_in(struct walk *w, uint32_t object, uint32_t cta);

/* tensor.c: tcgen05. tensor_address: an address of tensor memory; false if it is not known. tensor_slot notes the
 * address that tcgen05.alloc writes to shared memory; tensor_columns notes the columns of an allocation. tensor_group:
 * true if the CTAs that .cta_group needs exist, with a hazard if the kernel mixes groups. */
void walk_tensor(struct walk *w);
void walk_tensor_commit(struct walk *w);
bool tensor_address(struct walk *w, const struct address *address, uint32_t *out);
void tensor_slot(struct walk *w, uint32_t vaddr, uint32_t address);
void tensor_columns(struct walk *w, uint32_t begin, uint32_t count);
bool tensor_group(struct walk *w);
/* The other CTA of the pair of the thread's CTA; NO_THREAD: it has none. */
uint32_t tensor_peer(const struct walk *walk);

/* tensor_columns.c: allocation of tensor memory. */
void walk_tensor_alloc(struct walk *w);
void walk_tensor_free(struct walk *w);
void walk_tensor_relinquish(struct walk *w);
