#define FIRST
