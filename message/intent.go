package message

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
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

// What each kind of field may hold. None can hold a line break or end in a space.
var (
	plainText = regexp.MustCompile(`^[!-~]([ -~]*[!-~])?$`)
	hostText  = regexp.MustCompile(`^[0-9A-Za-z.:\[\]-]{1,255}$`)
	word      = regexp.MustCompile(`^[0-9A-Za-z_:-]{1,90}$`)
	nonceText = regexp.MustCompile(`^[0-9A-Za-z_-]{8,90}$`)
	integer   = regexp.MustCompile(`^[1-9][0-9]{0,38}$`)
	digestHex = regexp.MustCompile(`^[0-9a-f]{32}$`)
)

// Check returns nil when x has a text, else ErrIntent with the field at fault.
func (x Intent) Check() error {
	fields := []struct {
		name string
		ok   bool
	}{
		{"community", plainText.MatchString(x.Community) && len(x.Community) <= 64},
		{"domain", hostText.MatchString(x.Domain)},
		{"network", word.MatchString(x.Network)},
		{"action", slices.Contains(actions, x.Action)},
		{"payment address", word.MatchString(x.Payment)},
		{"ordinals address", word.MatchString(x.Ordinals)},
		{"number of units", x.Count >= 1},
		{"sum", integer.MatchString(x.Sum)},
		{"sum for people", x.sumTextAgrees()},
		{"digest", digestHex.MatchString(x.Digest)},
		{"lines of what follows", followsFit(x.Follows)},
		{"order", x.orderFits()},
		{"nonce", nonceText.MatchString(x.Nonce)},
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
	return found && number == wholeRunes(x.Sum) && plainText.MatchString(name) && len(name) <= 64
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
		if !plainText.MatchString(line) || len(line) > maxFollowLine {
			return false
		}
	}
	return len(lines) >= 1 && len(lines) <= maxFollows
}

// orderFits: a CANCEL names its order, nothing else does.
func (x Intent) orderFits() bool {
	if x.Action != Cancel {
		return x.Order == "" && x.Status == "" && x.Seen == 0
	}
	return word.MatchString(x.Order) && word.MatchString(x.Status) && x.Seen >= 0
}

// expiresFits: only what the text can carry comes back the same.
func (x Intent) expiresFits() bool {
	year := x.Expires.Year()
	return x.Expires == x.Expires.UTC().Truncate(time.Second) && year >= 2000 && year <= 9999
}
