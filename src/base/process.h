/* Runs other programs, which must not outlive this one. */
#pragma once

#include <sys/types.h>

/* For a child, right after fork: makes it the head of a process group of its own, whose number is its process's, and
 * returns in a child of it, which is to become the other program. The head waits for that one and ends as it does; it
 * ends the whole group, with whatever the program has started, as soon as `parent` ends, however and whenever that is.
 * So kill(-child, SIGKILL) ends all of it too. */
void process_become_group(pid_t parent);

/* For whoever forked it: ends the group, also one that is not there yet. */
void process_end_group(pid_t child);
