package api

import (
	"bytes"
	"encoding/json"
	"strings"

	"moonfund/internal/amount"
)

// Amount is a rune amount in a request: base units as a decimal string or as a JSON integer. Decoding returns
// amount.ErrSyntax for signs, fractions and exponents, and amount.ErrOverflow above 2^63-1.
type Amount amount.Runes

// UnmarshalJSON accepts "150000000000" and 150000000000.
func (a *Amount) UnmarshalJSON(raw []byte) error {
	text := string(raw)
	if strings.HasPrefix(text, `"`) {
		if err := json.Unmarshal(raw, &text); err != nil {
			return err
		}
	}
	units, err := amount.ParseRunes(text)
	*a = Amount(units)
	return err
}

// Flag is a boolean that clients may also send as 'true' or 'false'.
type Flag bool

// UnmarshalJSON accepts true, false, "true" and "false".
func (f *Flag) UnmarshalJSON(raw []byte) error {
	return json.Unmarshal(bytes.Trim(raw, `"`), (*bool)(f))
}
