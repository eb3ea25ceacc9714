package web

import "embed"

//go:embed src/app/fonts/*.woff2
var fontFiles embed.FS

// Font returns a font file of the first paint, such as figtree.woff2.
func Font(name string) ([]byte, error) { return fontFiles.ReadFile("src/app/fonts/" + name) }
