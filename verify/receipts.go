package main

import (
	"context"
	"fmt"

	"moonfund/verify/document"
)

func verifyReceipts(ctx context.Context, r *report, o options, places []string) error {
	for _, place := range places {
		text, err := read(ctx, place)
		if err != nil {
			return err
		}
		all, err := document.ReadReceipts(text)
		if err != nil {
			r.fail("%s: %v.", place, err)
			continue
		}
		if len(all) == 0 {
			r.note("%s has no receipts.", place)
		}
		if err := reportReceipts(r, o, place, all); err != nil {
			return err
		}
	}
	return nil
}

// reportReceipts says what verified receipts say.
func reportReceipts(r *report, o options, place string, all []document.SignedReceipt) error {
	var key document.Hash
	if o.key != "" {
		var err error
		if key, err = document.ParseHash(o.key); err != nil {
			return fmt.Errorf("%w: --key: %w", errUsage, err)
		}
	}
	for i, s := range all {
		switch {
		case o.key != "" && s.Key != key:
			r.fail("%s: receipt %d is certified by the key %s, not by the given one.", place, i+1, s.Key)
			continue
		case o.owner != "" && s.Owner != o.owner:
			r.fail("%s: receipt %d is for %s, not for %s.", place, i+1, s.Owner, o.owner)
			continue
		}
		r.ok("%s", sentence(s))
	}
	switch {
	case len(all) == 0:
	case o.key != "":
		r.note("A receipt proves what the server said, not that it was true or still is.")
	default:
		r.note("Certified by the key %s. Compare it with the key that the community publishes (--key).", all[0].Key)
	}
	return nil
}

// sentence says what a receipt states. It starts with the time of the batch, because the certificate bounds only this
// one: whoever has the receipt key can write any time into a receipt.
func sentence(s document.SignedReceipt) string {
	text := fmt.Sprintf("%s UTC: %s said to %s: %s", day(s.Batch.Time), s.Community, s.Owner, s.Kind)
	add := func(present bool, format string, args ...any) {
		if present {
			text += ", " + fmt.Sprintf(format, args...)
		}
	}
	add(day(s.Time) != day(s.Batch.Time), "recorded %s UTC", day(s.Time))
	add(s.Action != "", "action %q", s.Action)
	add(s.Order != "", "order %q", s.Order)
	add(s.Units > 0, "%s", plural(int(s.Units), "unit", "units"))
	add(!s.Runes.IsZero(), "%s base units", s.Runes)
	add(!s.Sats.IsZero(), "%s sats", s.Sats)
	add(s.Address != "", "address %q", s.Address)
	add(s.TxID != document.Hash{}, "transaction %s, output %d", s.TxID, s.Vout)
	add(s.Height > 0, "block %d", s.Height)
	return text + "."
}
