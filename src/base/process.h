/* Runs other programs, which must not outlive this one. */
#pragma once

#include <sys/types.h>

/* For a child, right after fork: makes it the leader of a process group of its own, with its own number, and returns in
 * a child of it, which is to become the other program. The leader waits for that program and ends with its status; when
 * `parent` ends, for any reason, it ends the whole group, with all processes that the program has started. kill(-child,
 * SIGKILL) ends the group too. */
void process_become_group(pid_t parent);

/* For the parent: ends the group, also if it does not exist yet. */
void process_end_group(pid_t child);
