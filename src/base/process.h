/* Runs other programs, which must not outlive this one. */
#pragma once

#include <sys/types.h>

/* For a child, right after fork: makes the child the leader of a new process group with the child's number, and returns
 * in a child of the leader, which is to become the other program. The leader waits for that program and ends with its
 * status; when `parent` ends, for any reason, the leader kills the whole group, with all processes that the program has
 * started. kill(-child, SIGKILL) also kills the group. */
void process_become_group(pid_t parent);

/* For the parent: waits for the child, which has a group, and kills the group at the deadline (of base.h). Returns the
 * status, as wait gives it; -1: there is no such child. */
int process_await(pid_t child, double deadline);

/* For the parent: kills the group, even if it does not exist yet. */
void process_end_group(pid_t child);
