package message

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// ErrIntent says that a text is not one that Intent.Text writes, or that an
// Intent cannot be written as an unambiguous text.
var ErrIntent = errors.New("message: not an action that can be signed")

// Cancel is the action that names an order, its status and what it received.
const Cancel = "CANCEL"

// actions are the actions that are signed.
var actions = []string{"UNSTAKE", "RESTAKE", "CLAIM", "COMPOUND", "WITHDRAW", Cancel}

// Bounds that keep a text within a screen.
const (
	maxFollows    = 8
	maxFollowLine = 160
	maxIntent     = 4096 // bytes of a text that is read at all
)

// Intent is what a person agrees to by signing its Text. All strings are
// printable ASCII; a field that could be mistaken for another one, or for a
// further line, makes the whole Intent unwritable (see Check).
type Intent struct {
	Community string // name for people, "LOBO"
	Domain    string // host of the page, with its port if any
	Network   string // "mainnet", "testnet", "testnet4", "signet", "regtest"
	Action    string // UNSTAKE RESTAKE CLAIM COMPOUND WITHDRAW CANCEL

	Payment  string // payment address
	Ordinals string // ordinals address, the owner and the destination of runes

	Count   int    // number of units, at least 1
	Sum     string // their sum in base units, a plain positive integer
	SumText string // the same for people: 8 implied decimals without trailing zeros, a space, the rune's name ("1.5 LOBO")
	Digest  string // Digest of the units' ids

	Follows []string // what follows from it, 1 to 8 lines for people

	Order  string // CANCEL only: the order's id
	Status string // CANCEL only: the order's status
	Seen   int64  // CANCEL only: sats seen for the order
	// AtLeast says that more than Seen may come before the message is used. Only
	// messages of older versions lack it.
	AtLeast bool

	Nonce   string    // at least 8 characters of A-Z a-z 0-9 _ -
	Expires time.Time // UTC, whole seconds
}

// Digest returns a fingerprint of a set of unit ids that does not depend on
// their order: SHA-256 over the sorted ids, each written as length ":" id ",",
// its first 16 bytes in hex.
func Digest(unitIDs []string) string {
	hash := sha256.New()
	for _, id := range slices.Sorted(slices.Values(unitIDs)) {
		fmt.Fprintf(hash, "%d:%s,", len(id), id)
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}

// OrderID returns the id of the order that a signed CLAIM or WITHDRAW opens: the
// first 16 bytes of the text's SHA-256 in hex. The text holds a nonce, so that no
// two orders share an id. The payment address is derived from the id: whoever has
// the text can check which address belongs to it.
func OrderID(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// form is what a kind of field may hold: so many of certain characters.
type form struct {
	least, most int
	characters  [128]bool
}

func formOf(least, most int, characters string) *form {
	f := form{least: least, most: most}
	for _, c := range []byte(characters) {
		f.characters[c] = true
	}
	return &f
}

func (f *form) fits(text string) bool {
	if len(text) < f.least || len(text) > f.most {
		return false
	}
	for i := range len(text) {
		if c := text[i]; c >= 128 || !f.characters[c] {
			return false
		}
	}
	return true
}

// What each kind of field may hold. None can hold a line break or end in a space.
const (
	digits       = "0123456789"
	alphanumeric = digits + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

var (
	printable = formOf(1, maxIntent, alphanumeric+" !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
	hostText  = formOf(1, 255, alphanumeric+".:[]-")
	word      = formOf(1, 90, alphanumeric+"_:-")
	nonceText = formOf(8, 90, alphanumeric+"_-")
	number    = formOf(1, 39, digits)
	digestHex = formOf(32, 32, digits+"abcdef")
)

// plainText: printable ASCII that neither begins nor ends with a space.
func plainText(text string, most int) bool {
	return len(text) <= most && printable.fits(text) && text[0] != ' ' && text[len(text)-1] != ' '
}

// integer: a positive number without leading zeros.
func integer(text string) bool { return number.fits(text) && text[0] != '0' }

// Check returns nil when x has a text, else ErrIntent with the field at fault.
func (x Intent) Check() error {
	fields := []struct {
		name string
		ok   bool
	}{
		{"community", plainText(x.Community, 64)},
		{"domain", hostText.fits(x.Domain)},
		{"network", word.fits(x.Network)},
		{"action", slices.Contains(actions, x.Action)},
		{"payment address", word.fits(x.Payment)},
		{"ordinals address", word.fits(x.Ordinals)},
		{"number of units", x.Count >= 1},
		{"sum", integer(x.Sum)},
		{"sum for people", x.sumTextAgrees()},
		{"digest", digestHex.fits(x.Digest)},
		{"lines of what follows", followsFit(x.Follows)},
		{"order", x.orderFits()},
		{"nonce", nonceText.fits(x.Nonce)},
		{"expiry", x.expiresFits()},
	}
	for _, field := range fields {
		if !field.ok {
			return fmt.Errorf("%w: %s", ErrIntent, field.name)
		}
	}
	return nil
}

// sumTextAgrees says whether the sum that people read is the sum that is meant.
func (x Intent) sumTextAgrees() bool {
	number, name, found := strings.Cut(x.SumText, " ")
	return found && number == wholeRunes(x.Sum) && plainText(name, 64)
}

// wholeRunes writes base units (a plain integer) with their 8 implied decimals,
// without trailing zeros: "150000000" is "1.5".
func wholeRunes(baseUnits string) string {
	digits := strings.Repeat("0", max(0, 9-len(baseUnits))) + baseUnits
	point := len(digits) - 8
	return strings.TrimRight(strings.TrimRight(digits[:point]+"."+digits[point:], "0"), ".")
}

func followsFit(lines []string) bool {
	for _, line := range lines {
		if !plainText(line, maxFollowLine) {
			return false
		}
	}
	return len(lines) >= 1 && len(lines) <= maxFollows
}

// orderFits: a CANCEL names its order, nothing else does.
func (x Intent) orderFits() bool {
	if x.Action != Cancel {
		return x.Order == "" && x.Status == "" && x.Seen == 0 && !x.AtLeast
	}
	return word.fits(x.Order) && word.fits(x.Status) && x.Seen >= 0
}

// expiresFits: only what the text can carry comes back the same.
func (x Intent) expiresFits() bool {
	year := x.Expires.Year()
	return x.Expires == x.Expires.UTC().Truncate(time.Second) && year >= 2000 && year <= 9999
}
