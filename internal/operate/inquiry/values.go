package inquiry

import (
	"strconv"
	"strings"
	"time"

	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/ledger"
)

// date formats an instant in UTC, to the minute.
func date(t time.Time) string { return t.UTC().Format("2 Jan 2006 15:04 UTC") }

// number formats an integer.
func number[N ~int | ~int64 | ~uint32](n N) string { return strconv.FormatInt(int64(n), 10) }

// sats formats an amount of sats.
func sats(n amount.Sats) string { return number(n) + " sats" }

// entry returns the entry of a rune from the index; the zero entry if the index does not have it.
func (f *finder) entry(id runes.ID) (runes.Entry, error) {
	e, exists := f.rates[id]
	if exists {
		return e, nil
	}
	e, _, err := f.tx.Runes(f.ctx).RuneEntry(id)
	if err == nil {
		f.rates[id] = e
	}
	return e, err
}

// name returns the name of a community's rune, or its prefix while the index does not have the rune.
func (f *finder) name(c community) (string, error) {
	e, err := f.entry(c.rune)
	if err != nil || e.ID != c.rune {
		return c.Prefix, err
	}
	return e.SpacedName().String(), nil
}

// tokens formats an amount of a community's rune in token units.
func (f *finder) tokens(c community, n amount.Runes) (string, error) {
	return f.held(runes.Balance{ID: c.rune, Amount: uint128.From64(uint64(max(0, n)))})
}

// held formats a balance in token units.
func (f *finder) held(b runes.Balance) (string, error) {
	e, err := f.entry(b.ID)
	if err != nil || e.ID != b.ID {
		return b.Amount.String() + " base units of rune " + b.ID.String(), err
	}
	return decimal(b.Amount.String(), int(e.Divisibility)) + " " + e.SpacedName().String(), nil
}

// balances formats the runes and the sats of an output.
func (f *finder) balances(all []runes.Balance, value amount.Sats) (string, error) {
	var parts []string
	for _, b := range all {
		text, err := f.held(b)
		if err != nil {
			return "", err
		}
		parts = append(parts, text)
	}
	if value > 0 {
		parts = append(parts, sats(value))
	}
	return strings.Join(parts, " and "), nil
}

// contents formats the runes and sats of an output: by the rune index, or by the ledger if it is spent.
func (f *finder) contents(o ledger.Output) (string, error) {
	all, err := runes.BalancesOf(f.tx.Runes(f.ctx), o.OutPoint)
	if err != nil {
		return "", err
	}
	if len(all) == 0 && o.Runes > 0 {
		if c, exists := f.community(o.Community); exists {
			all = []runes.Balance{{ID: c.rune, Amount: uint128.From64(uint64(o.Runes))}}
		}
	}
	return f.balances(all, o.Value)
}

// decimal inserts the decimal point into digits and removes trailing zeros.
func decimal(digits string, places int) string {
	if len(digits) <= places {
		digits = strings.Repeat("0", places-len(digits)+1) + digits
	}
	whole, part := digits[:len(digits)-places], strings.TrimRight(digits[len(digits)-places:], "0")
	if part == "" {
		return whole
	}
	return whole + "." + part
}

// block describes whether a transaction is confirmed, and by how many blocks.
func (f *finder) block(height int64) string {
	if height == chain.None {
		return inNoBlock.text
	}
	deep := ledger.Confirmations(height, f.tip)
	return line(inBlock, number(height), count(int(deep), "confirmation", "confirmations")).Text
}

// community returns a community by its prefix.
func (f *finder) community(prefix string) (community, bool) {
	for _, c := range f.communities {
		if c.Prefix == prefix {
			return c, true
		}
	}
	return community{}, false
}

// epochStart describes when an epoch of a community begins.
func (f *finder) epochStart(c community, n int64) (string, error) {
	calendar, err := f.tx.Calendar(f.ctx, c.Prefix)
	if err != nil {
		return "", err
	}
	if last := calendar.Anchors[len(calendar.Anchors)-1]; calendar.Manual && n > last.Epoch {
		return byHand.text, nil
	}
	return line(onDate, date(calendar.Start(n).Add(f.skew))).Text, nil
}

// nextEpoch describes when the next epoch of a community begins, after a comma; "" if the time is unknown.
func (f *finder) nextEpoch(c community) (string, error) {
	calendar, err := f.tx.Calendar(f.ctx, c.Prefix)
	if err != nil {
		return "", err
	}
	current := calendar.At(f.answer.At.Add(-f.skew))
	when, err := f.epochStart(c, current+1)
	if err != nil {
		return "", err
	}
	return line(startsNext, when).Text, nil
}
