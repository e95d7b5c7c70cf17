# Functions for every .cmd case; read by tests/golden/run, which sets tool, died and T.

# Runs the built tool. A death by signal or an internal error is noted even if the case ignores the status; a closed
# pipe (SIGPIPE) is an ordinary end.
ptxlit() {
  "$tool" "$@"
  status=$?
  case $status in
  70) echo "internal error: ptxlit $*" >>"$died" ;;
  141) ;;
  *) [ "$status" -lt 126 ] || echo "status $status: ptxlit $*" >>"$died" ;;
  esac
  return "$status"
}

# Runs the tool and shows the command and its exit status.
try() {
  echo "\$ ptxlit $*"
  ptxlit "$@"
  echo "status $?"
}
