package verify

import (
	"context"
	"fmt"

	"moonfund/internal/signed/statement"
)

// Receipts verifies receipts: each place has one or an array of them.
func (v *Verifier) Receipts(ctx context.Context, places []string) error {
	for _, place := range places {
		text, err := fetch(ctx, place)
		if err != nil {
			return err
		}
		all, err := statement.ParseReceipts(text)
		if err != nil {
			v.fail("%s: %v.", place, err)
			continue
		}
		if len(all) == 0 {
			v.note("%s has no receipts.", place)
			continue
		}
		for i, s := range all {
			v.receipt(fmt.Sprintf("%s: receipt %d", place, i+1), s)
		}
		if v.KnowsKey() {
			v.note("A receipt proves what the server said, not that it was true or still is.")
		} else {
			v.note("Certified by the key %s. Compare it with the key that the community publishes (--key).", all[0].Key)
		}
	}
	return nil
}

// receipt verifies one receipt and prints its content.
func (v *Verifier) receipt(name string, s statement.SignedReceipt) {
	err := s.Verify()
	switch {
	case err != nil:
		v.fail("%s: %v.", name, err)
	case v.KnowsKey() && s.Key != v.Key:
		v.fail("%s is certified by the key %s, not by the given one.", name, s.Key)
	case v.Owner != "" && s.Receipt.Owner != v.Owner:
		v.fail("%s is for %s, not for %s.", name, s.Receipt.Owner, v.Owner)
	default:
		v.ok("%s", sentence(s))
	}
}

// sentence describes the content of a receipt. It starts with the time of the batch, because the certificate limits
// only that time: the holder of the receipt key can write any time into a receipt.
func sentence(s statement.SignedReceipt) string {
	r, at := s.Receipt, minute(s.Batch.Time)
	text := fmt.Sprintf("%s UTC: %s said to %s: %s", at, r.Community, r.Owner, r.Kind)
	add := func(present bool, format string, args ...any) {
		if present {
			text += ", " + fmt.Sprintf(format, args...)
		}
	}
	add(minute(r.Time) != at, "recorded %s UTC", minute(r.Time))
	add(r.Action != "", "action %q", r.Action)
	add(r.Order != "", "order %q", r.Order)
	add(r.Units > 0, "%s", Plural(int(r.Units), "unit", "units"))
	add(!r.Runes.IsZero(), "%s base units", r.Runes)
	add(!r.Sats.IsZero(), "%s sats", r.Sats)
	add(r.Address != "", "address %q", r.Address)
	add(r.TxID != statement.NoTx, "transaction %s, output %d", r.TxID, r.Vout)
	add(r.Height > 0, "block %d", r.Height)
	return text + "."
}
