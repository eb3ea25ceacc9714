// Package docs contains the guides and the runbooks, for `moonfund help`.
package docs

import "embed"

// Pages are the Markdown files of the folders guide and operations.
//
//go:embed guide/*.md operations/*.md
var Pages embed.FS
