package verify

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"moonfund/internal/verify/reserves"
)

// Servers are the addresses of the servers to compare reserves with; "" for none.
type Servers struct{ Esplora, Ord string }

// Reserves compares the outputs of a statement, and with an ord server their runes, with the chain. A sample above 0
// limits it to so many outputs, chosen at random.
func (v *Verifier) Reserves(ctx context.Context, place string, from Servers, sample int) error {
	servers, err := from.open()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRequest, err)
	}
	s, valid, err := v.read(ctx, place)
	if err != nil || !valid {
		return err
	}
	v.title(s)
	v.reportKey(s.Key)
	outputs, height := s.Document.Reserves, s.Document.AsOf.Height
	if sample > 0 && sample < len(outputs) {
		rand.Shuffle(len(outputs), func(i, k int) { outputs[i], outputs[k] = outputs[k], outputs[i] })
		outputs = outputs[:sample]
		v.note("Only %d of %d outputs are compared.", len(outputs), len(s.Document.Reserves))
	}
	result, err := servers.Compare(ctx, s.Document, outputs)
	for _, sentence := range result.Findings {
		v.fail("%s", sentence)
	}
	if err != nil {
		return err
	}
	if len(result.Findings) == 0 {
		v.ok("%s as stated and unspent at block %d.", Plural(result.Checked, "output is", "outputs are"), height)
	}
	if result.Unconfirmed > 0 {
		v.note("%s in no block up to block %d: the statement also counts later and unconfirmed ones.",
			Plural(result.Unconfirmed, "output was", "outputs were"), height)
	}
	if result.Spent > 0 {
		v.note("%s spent since.", Plural(result.Spent, "output was", "outputs were"))
	}
	switch {
	case from.Ord == "":
		v.note("Rune amounts not checked: Esplora shows outputs, not runes. Ask an ord server (--ord).")
	case result.WithRunes < result.Checked:
		v.note("Rune amounts not checked for %s.",
			Plural(result.Checked-result.WithRunes, "output that is spent", "outputs that are spent"))
	default:
		v.ok("The rune amounts equal the ord server's.")
	}
	return nil
}

func (s Servers) open() (open reserves.Servers, err error) {
	if s == (Servers{}) {
		return open, errors.New("name a server (--esplora, --ord)")
	}
	var esplora, ord error
	if s.Esplora != "" {
		open.Esplora, esplora = reserves.NewEsplora(s.Esplora)
	}
	if s.Ord != "" {
		open.Ord, ord = reserves.NewOrd(s.Ord)
	}
	return open, errors.Join(esplora, ord)
}
