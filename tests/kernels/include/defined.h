#define DEFINED
