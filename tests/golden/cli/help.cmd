try --help
