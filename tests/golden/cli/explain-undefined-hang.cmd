# An operation on an mbarrier object that is never initialised, in an execution that hangs (MB12): the rule is told.
try explain litmus/async/undefined+mbarrier+wait-before-init.litmus
