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

// ErrIntent is returned for a text that Intent.Text does not produce, and for an Intent that has no unambiguous text.
var ErrIntent = errors.New("message: not an action that can be signed")

// Cancel is the only action whose text includes an order, the order's status and the payments seen.
const Cancel = "CANCEL"

// The actions that begin and end automatic compounding. Their texts name no units: the first names epochs, the second
// the instruction that it ends.
const (
	AutoCompound    = "AUTO_COMPOUND"
	EndAutoCompound = "END_AUTO_COMPOUND"
)

// actions lists the actions that a wallet signs.
var actions = []string{"UNSTAKE", "RESTAKE", "CLAIM", "COMPOUND", "WITHDRAW", Cancel, AutoCompound, EndAutoCompound}

// Limits with which a text fits on a screen.
const (
	maxFollows    = 8
	maxFollowLine = 160
	maxIntent     = 4096 // maximum size of a text, in bytes
)

// Intent is the content of a message that an owner signs. All strings are printable ASCII. Check rejects an Intent with
// a field that an owner could mistake for another field or another line.
type Intent struct {
	Community string // display name, "LOBO"
	Domain    string // host of the site, with its port if any
	Network   string // "mainnet", "testnet", "testnet4", "signet", "regtest"
	Action    string // one of actions

	Payment  string // payment address
	Ordinals string // ordinals address, the owner and the destination of runes

	// Count, Sum, SumText and Digest describe the units. They are zero for AUTO_COMPOUND and END_AUTO_COMPOUND.
	Count   int    // number of units, at least 1
	Sum     string // their sum in base units, a plain positive integer
	SumText string // Sum with 8 implied decimals, no trailing zeros, a space and the token's name ("1.5 LOBO")
	Digest  string // Digest of the units' ids

	// FirstEpoch and LastEpoch are the first and last epoch whose rewards an AUTO_COMPOUND compounds; 0 for other actions.
	FirstEpoch, LastEpoch int64
	Instruction           string // END_AUTO_COMPOUND only: the nonce of the AUTO_COMPOUND that it ends

	Follows []string // consequences of the action, 1 to 8 lines

	Order  string // CANCEL only: the order's id
	Status string // CANCEL only: the order's status
	Seen   int64  // CANCEL only: payments seen for the order, in sats; more may arrive before the message is used

	// Statement is the id of a statement of the community, in hex: the newest one that the owner's page knows. It is ""
	// if the community has no statement.
	Statement string

	// Rate and Until are the fee rate in sats per 1,000 vB and the limit of economy delivery. They are zero for actions
	// other than CLAIM and WITHDRAW, and for delivery at normal speed.
	Rate  int64
	Until time.Time // UTC, whole minutes

	Nonce   string    // at least 8 characters of A-Z a-z 0-9 _ -
	Expires time.Time // UTC, whole seconds
}

// Digest returns a fingerprint of a set of unit ids that does not depend on their order: the first 16 bytes, in hex, of
// the SHA-256 of the sorted ids, each written as length ":" id ",".
func Digest(unitIDs []string) string {
	hash := sha256.New()
	for _, id := range slices.Sorted(slices.Values(unitIDs)) {
		fmt.Fprintf(hash, "%d:%s,", len(id), id)
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}

// OrderID returns the id of the order that a signed CLAIM or WITHDRAW creates: the first 16 bytes of the text's SHA-256
// in hex. The text contains a nonce, so that ids are unique. The payment address is derived from the id, so that the
// address can be verified with the text alone.
func OrderID(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// fieldFormat is the format of a field: its length in bytes and its set of allowed characters.
type fieldFormat struct {
	minLen, maxLen int
	characters     [128]bool
}

func newFormat(minLen, maxLen int, characters string) *fieldFormat {
	f := fieldFormat{minLen: minLen, maxLen: maxLen}
	for _, c := range []byte(characters) {
		f.characters[c] = true
	}
	return &f
}

func (f *fieldFormat) matches(text string) bool {
	if len(text) < f.minLen || len(text) > f.maxLen {
		return false
	}
	for i := range len(text) {
		if c := text[i]; c >= 128 || !f.characters[c] {
			return false
		}
	}
	return true
}

const (
	digits       = "0123456789"
	alphanumeric = digits + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

var (
	// No format allows a line break. Only printable allows spaces; see isPlainText.
	printable = newFormat(1, maxIntent, alphanumeric+" !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
	hostText  = newFormat(1, 255, alphanumeric+".:[]-")
	word      = newFormat(1, 90, alphanumeric+"_:-")
	nonceText = newFormat(8, 90, alphanumeric+"_-")
	number    = newFormat(1, 39, digits)
	digestHex = newFormat(32, 32, digits+"abcdef")
	idHex     = newFormat(64, 64, digits+"abcdef")
)

// isPlainText reports whether text is printable ASCII of at most maxLen bytes that neither begins
// nor ends with a space.
func isPlainText(text string, maxLen int) bool {
	return len(text) <= maxLen && printable.matches(text) && text[0] != ' ' && text[len(text)-1] != ' '
}

// isPositiveInteger reports whether text is a positive number without leading zeros.
func isPositiveInteger(text string) bool { return number.matches(text) && text[0] != '0' }

// Check returns nil if x has a text, otherwise ErrIntent wrapped with the name of the first
// invalid field.
func (x Intent) Check() error {
	fields := []struct {
		name string
		ok   bool
	}{
		{"community", isPlainText(x.Community, 64)},
		{"domain", hostText.matches(x.Domain)},
		{"network", word.matches(x.Network)},
		{"action", slices.Contains(actions, x.Action)},
		{"payment address", word.matches(x.Payment)},
		{"ordinals address", word.matches(x.Ordinals)},
		{"number of units", x.hasUnits() == (x.Count >= 1) && x.Count >= 0},
		{"sum", x.noUnits(x.Sum) || (x.hasUnits() && isPositiveInteger(x.Sum))},
		{"sum for people", x.noUnits(x.SumText) || (x.hasUnits() && x.sumTextMatches())},
		{"digest", x.noUnits(x.Digest) || (x.hasUnits() && digestHex.matches(x.Digest))},
		{"epochs", x.validEpochs()},
		{"speed", x.validSpeed()},
		{"instruction", x.validInstruction()},
		{"lines of what follows", validFollows(x.Follows)},
		{"order", x.validOrder()},
		{"statement", x.Statement == "" || idHex.matches(x.Statement)},
		{"nonce", nonceText.matches(x.Nonce)},
		{"expiry", x.validExpiry()},
	}
	for _, field := range fields {
		if !field.ok {
			return fmt.Errorf("%w: %s", ErrIntent, field.name)
		}
	}
	return nil
}

// hasUnits reports whether the text of x describes units.
func (x Intent) hasUnits() bool { return x.Action != AutoCompound && x.Action != EndAutoCompound }

// noUnits reports whether the text of x describes no units and value, a field about them, is empty.
func (x Intent) noUnits(value string) bool { return !x.hasUnits() && value == "" }

// validEpochs reports whether an AUTO_COMPOUND names a range of epochs and any other action names none.
func (x Intent) validEpochs() bool {
	if x.Action != AutoCompound {
		return x.FirstEpoch == 0 && x.LastEpoch == 0
	}
	return x.FirstEpoch >= 0 && x.LastEpoch >= x.FirstEpoch
}

// validSpeed reports whether a CLAIM or WITHDRAW names both a fee rate and a limit or neither, and any other action
// names neither.
func (x Intent) validSpeed() bool {
	if x.Rate == 0 {
		return x.Until.IsZero()
	}
	year := x.Until.Year()
	return (x.Action == "CLAIM" || x.Action == "WITHDRAW") && x.Rate > 0 &&
		x.Until == x.Until.UTC().Truncate(time.Minute) && year >= 2000 && year <= 9999
}

// validInstruction reports whether an END_AUTO_COMPOUND names an instruction and any other action names none.
func (x Intent) validInstruction() bool {
	if x.Action != EndAutoCompound {
		return x.Instruction == ""
	}
	return nonceText.matches(x.Instruction)
}

// sumTextMatches reports whether SumText shows the same amount as Sum.
func (x Intent) sumTextMatches() bool {
	number, token, found := strings.Cut(x.SumText, " ")
	return found && number == wholeRunes(x.Sum) && isPlainText(token, 64)
}

// runeDecimals is the number of decimals of rune amounts in messages, which every community's rune must have
// (amount.RuneDecimals).
const runeDecimals = 8

// wholeRunes formats base units (a plain integer) with runeDecimals and no trailing zeros: "150000000" is "1.5".
func wholeRunes(baseUnits string) string { return decimal(baseUnits, runeDecimals) }

// decimal formats a plain integer with implied decimals and no trailing zeros.
func decimal(integer string, decimals int) string {
	digits := strings.Repeat("0", max(0, decimals+1-len(integer))) + integer
	point := len(digits) - decimals
	return strings.TrimRight(strings.TrimRight(digits[:point]+"."+digits[point:], "0"), ".")
}

func validFollows(lines []string) bool {
	for _, line := range lines {
		if !isPlainText(line, maxFollowLine) {
			return false
		}
	}
	return len(lines) >= 1 && len(lines) <= maxFollows
}

// validOrder reports whether a CANCEL names its order and any other action names none.
func (x Intent) validOrder() bool {
	if x.Action != Cancel {
		return x.Order == "" && x.Status == "" && x.Seen == 0
	}
	return word.matches(x.Order) && word.matches(x.Status) && x.Seen >= 0
}

// validExpiry reports whether the text can represent Expires exactly.
func (x Intent) validExpiry() bool {
	year := x.Expires.Year()
	return x.Expires == x.Expires.UTC().Truncate(time.Second) && year >= 2000 && year <= 9999
}
