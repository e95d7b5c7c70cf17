# Techniques for developers to do without: an answer may become unknown.
try --help-developer
try --quiet litmus/loops/lock-exch+safe.litmus
try --quiet --without=silent,deeper litmus/loops/lock-exch+safe.litmus
try --quiet --without silent --without=noise litmus/loops/lock-exch+safe.litmus
