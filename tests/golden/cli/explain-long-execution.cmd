# an execution of more lines than are shown: events of a line that is left out are in no other line
ptxlit explain litmus/kernels/tile-mma-overwrites.litmus | awk 'length > 200' | wc -l
