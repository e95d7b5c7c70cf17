# A site: every link leads somewhere, nothing is fetched from elsewhere, and only the list has a script.
try report --model ptx,sc litmus/classic tests/golden/tests/unmet.litmus -o "$T/site" --title 'Two & "more" <tests>'
grep -c '<a href="tests/' "$T/site/index.html"
ls "$T/site/tests" | wc -l
grep -o '<title>.*</title>' "$T/site/index.html"
grep -l -e '<script' -e 'url(' -e '@import' -e 'href="http' "$T"/site/*.html "$T"/site/tests/*.html
grep -c -e '//' "$T/site/style.css" "$T/site/search.js"
grep -o 'not met: [A-Za-z]*' "$T/site/tests/unmet.html"
for page in "$T"/site/index.html "$T"/site/tests/*.html; do
  grep -o ' id="[^"]*"' "$page" | sort | uniq -d
  for target in $(grep -oE '(href|src)="[^"]*"' "$page" | sed 's/^[a-z]*="//; s/"$//; s/^#.*/./; s/#.*//'); do
    [ -e "$(dirname "$page")/$target" ] || echo "dead link $target in $page"
  done
done
try report litmus/classic/SB.litmus
