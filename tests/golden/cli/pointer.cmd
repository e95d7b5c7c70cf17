# What a pointer points to has a name in explanations and pictures.
ptxlit explain tests/golden/kernels/pointer.litmus | grep '&'
ptxlit graph tests/golden/kernels/pointer.litmus
