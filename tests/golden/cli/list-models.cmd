try --list-models
