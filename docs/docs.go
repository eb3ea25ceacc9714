// Package docs contains the guides and the runbooks, for `moonfund help`, and the pages of every site (web/guide.go).
package docs

import "embed"

// Pages are trust.md and the Markdown files of the folders guide and operations.
//
//go:embed trust.md guide/*.md operations/*.md
var Pages embed.FS
