echo "PTX" >"$T/bad.litmus"
ptxlit --colour=always "$T/bad.litmus" 2>&1 | tr '\033' '^'
ptxlit --colour=never "$T/bad.litmus" 2>&1 | grep -c "$(printf '\033')"
ptxlit --colour=auto "$T/bad.litmus" 2>&1 | grep -c "$(printf '\033')"
