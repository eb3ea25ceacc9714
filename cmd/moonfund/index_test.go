package main

import (
	"strings"
	"testing"

	"moonfund/community"
	"moonfund/runes"
)

// An index is served as it was made, with the communities that it was made for; else
// it is said what to do.
func TestIndexAgrees(t *testing.T) {
	lobo, wolf := community.Manifest{Prefix: "lobo"}, community.Manifest{Prefix: "wolf"}
	lobo.Rune.ID, wolf.Rune.ID = "840000:1", "840000:2"
	followed := []runes.ID{{Block: 840_000, Tx: 1}, {Block: 840_001, Tx: 9}}
	for name, c := range map[string]struct {
		asked     string
		kept      []runes.ID
		manifests []community.Manifest
		how       remedy
		want      []string // of what is said; none: it agrees
	}{
		"every rune":         {"full", nil, []community.Manifest{lobo, wolf}, rebuildLedger, nil},
		"its rune":           {"followed", followed, []community.Manifest{lobo}, rebuildLedger, nil},
		"another rune":       {"followed", followed, []community.Manifest{lobo, wolf}, rebuildLedger, []string{"community wolf", "840000:2", "moonfund rebuild --from-chain --index followed"}},
		"it was full":        {"followed", nil, []community.Manifest{lobo}, rebuildLedger, []string{"made with --index full", "start with --index full", "rebuild --from-chain --index followed"}},
		"it was not full":    {"full", followed, []community.Manifest{lobo}, rebuildLedger, []string{"made with --index followed", "rebuild --from-chain --index full"}},
		"the signer's":       {"full", followed, []community.Manifest{lobo}, deleteIndex, []string{"delete index.db"}},
		"the signer's, more": {"followed", followed, []community.Manifest{wolf}, deleteIndex, []string{"community wolf", "delete index.db"}},
		"a bad id":           {"followed", followed, []community.Manifest{{Prefix: "none"}}, rebuildLedger, []string{"community none"}},
	} {
		err := indexFlag{c.asked}.agrees(c.kept, c.manifests, c.how)
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(want)) {
				t.Errorf("%s: it says %q, not %q", name, err, want)
			}
		}
	}
}
