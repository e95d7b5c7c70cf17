mkdir "$T/empty"
try "$T/empty"
