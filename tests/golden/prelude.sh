# What every .cmd case may use; read by tests/golden/run, which sets tool, died and T.

# The built tool. A death by signal or an internal error is noted even where the case goes on or looks away; a closed
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
