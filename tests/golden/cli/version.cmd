# Which solver is installed differs from machine to machine.
ptxlit --version | sed -E 's/cadical[-a-z0-9.]*/cadical-VERSION/'
