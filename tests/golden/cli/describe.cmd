# The row of an instruction with its section, and a set and a relation of the model language.
for word in ld.acquire.gpu red rf W nothing; do
  echo "\$ ptxlit --describe $word"
  ptxlit --describe "$word"
  echo "status $?"
done
