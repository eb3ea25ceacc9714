package signer

import (
	"path/filepath"
	"testing"

	"moonfund/internal/signed/statement"
)

// TestCompromisedServerForksStatements requests statements as a compromised server does. The signer signs one successor
// of each statement and no statement of another community. It signs a statement that omits every owner, because it does
// not know the owners. Only an omitted owner can notice.
func TestCompromisedServerForksStatements(t *testing.T) {
	w := newCompromise(t, ownNode).world
	client := w.statementsOverSocket(w.withHeads(&HeadFile{Path: filepath.Join(t.TempDir(), "statements.json")}))
	sign := func(account uint32, d statement.Document) error {
		_, err := client.SignStatement(t.Context(), account, encoded(t, d))
		return err
	}
	first := w.document(0, statement.Hash{}, "1")
	if first.Owners.Count != 0 {
		t.Fatalf("the statement has owners: %+v", first.Owners)
	}
	must(t, sign(0, first))
	second := w.document(1, idOf(t, first), "1")
	must(t, sign(0, second))
	for name, d := range map[string]statement.Document{
		"a second successor":   w.document(1, idOf(t, first), "2"),
		"a history of its own": w.document(0, statement.Hash{}, "2"),
		"a gap":                w.document(3, idOf(t, second), "1"),
		"an old one":           first,
	} {
		if err := sign(0, d); !refusedFor(err, NotSuccessor) {
			t.Errorf("%s: got error %v", name, err)
		}
	}
	other := w.document(2, idOf(t, second), "1")
	other.Community = "wolf"
	if err := sign(0, other); !refusedFor(err, BadStatement) {
		t.Errorf("of another community: got error %v", err)
	}
	if err := sign(7, w.document(2, idOf(t, second), "1")); !refusedFor(err, BadRequest) {
		t.Errorf("of another account: got error %v", err)
	}
	must(t, sign(0, w.document(2, idOf(t, second), "1")))
}
