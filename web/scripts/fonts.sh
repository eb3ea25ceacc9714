#!/bin/sh
# Writes the fonts of the first paint into src/app/fonts: weights 400 to 700 and the letters of western European
# languages from the npm packages, so that each fits into the first ten packets of a connection. Needs fonttools: pip
# install fonttools brotli
set -eu
cd "$(dirname "$0")/.."
letters=U+20-7E,U+A0,U+A3,U+A7,U+A9,U+AB,U+B0,U+B7,U+BB,U+C0-CF,U+D1-DC,U+DF-EF,U+F1-FC
signs=U+2013,U+2014,U+2018,U+2019,U+201C-201E,U+2022,U+2026,U+20AC,U+2192,U+2212
whole=$(mktemp)
trap 'rm -f "$whole"' EXIT
for font in familjen-grotesk:familjen figtree:figtree; do
  from="node_modules/@fontsource-variable/${font%:*}/files/${font%:*}-latin-wght-normal.woff2"
  fonttools varLib.instancer -q "$from" wght=400:700 -o "$whole"
  pyftsubset "$whole" --unicodes="$letters,$signs" --no-hinting --layout-features=kern,tnum,ccmp --flavor=woff2 \
    --output-file="src/app/fonts/${font#*:}.woff2"
done
