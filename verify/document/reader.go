package document

import (
	"fmt"
	"math"
	"strings"
)

const (
	maxInteger = 1<<53 - 1
	maxText    = 1000
	maxScript  = 10_000
	maxName    = 64
	maxOwner   = 255
	hashDigits = 64
	hexDigits  = "0123456789abcdef"
)

// reader reads canonical JSON from the start. The order of the members is fixed, so each is read in its place, and
// anything else is an error: other members, duplicates, spaces and other ways of writing a value. After an error,
// every method does nothing and returns a zero value.
type reader struct {
	text string
	at   int
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("byte %d: %s", r.at, fmt.Sprintf(format, args...))
	}
}

// token reads exactly the given bytes.
func (r *reader) token(want string) {
	if r.err != nil {
		return
	}
	if !strings.HasPrefix(r.text[r.at:], want) {
		r.fail("want %s", want)
		return
	}
	r.at += len(want)
}

// end reads the end of the document.
func (r *reader) end() {
	if r.err == nil && r.at != len(r.text) {
		r.fail("want the end of the document")
	}
}

// integer reads an integer from 0 to 2^53 - 1.
func (r *reader) integer() int64 {
	from := r.at
	var n int64
	for r.err == nil && r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
		if n = 10*n + int64(r.text[r.at]-'0'); n > maxInteger {
			r.fail("an integer above 2^53 - 1")
		}
		r.at++
	}
	if digits := r.at - from; r.err == nil && (digits == 0 || (digits > 1 && r.text[from] == '0')) {
		r.fail("want an integer from 0 to 2^53 - 1")
	}
	if r.err != nil {
		return 0
	}
	return n
}

// plain reads a string that has no escapes and contains between least and most of the given characters.
func (r *reader) plain(what, characters string, least, most int) string {
	r.token(`"`)
	from := r.at
	for r.err == nil && r.at < len(r.text) && strings.IndexByte(characters, r.text[r.at]) >= 0 && r.at-from < most {
		r.at++
	}
	if r.err == nil && r.at-from < least {
		r.fail("want %s", what)
	}
	value := r.text[from:r.at]
	if r.token(`"`); r.err != nil {
		return ""
	}
	return value
}

// name reads a string that matches [a-z0-9][a-z0-9_-]{0,63}.
func (r *reader) name() string {
	name := r.plain("a name", "abcdefghijklmnopqrstuvwxyz0123456789_-", 1, maxName)
	if r.err == nil && (name[0] == '_' || name[0] == '-') {
		r.fail("want a name that begins with a letter or a digit")
	}
	return name
}

// hash reads 64 lower-case hex digits.
func (r *reader) hash() (h Hash) {
	text := r.plain("64 hex digits", hexDigits, hashDigits, hashDigits)
	if r.err == nil {
		h = mustHash(text)
	}
	return h
}

// amount reads a decimal string below 2^128.
func (r *reader) amount() Amount {
	from := r.at
	text := r.plain("an amount", "0123456789", 1, maxDigits)
	if r.err != nil {
		return Amount{}
	}
	n, err := ParseAmount(text)
	if err != nil {
		r.at = from
		r.fail("%v", err)
	}
	return n
}

// script reads the lower-case hex digits of 1 to 10,000 bytes.
func (r *reader) script() string {
	script := r.plain("a script", hexDigits, 2, 2*maxScript)
	if len(script)%2 != 0 {
		r.fail("half a byte of a script")
	}
	return script
}

// str reads a text of at most most printable ASCII characters.
func (r *reader) str(most int) string {
	var value []byte
	r.token(`"`)
	for r.err == nil {
		if r.at == len(r.text) {
			r.fail("a string without an end")
			break
		}
		c := r.text[r.at]
		switch {
		case c == '"':
			r.at++
			return string(value)
		case c < ' ' || c > '~':
			r.fail("a character that is not printable ASCII")
		case c == '\\':
			if rest := r.text[r.at+1:]; rest == "" || (rest[0] != '"' && rest[0] != '\\') {
				r.fail("an escape that is not canonical")
				return ""
			}
			r.at++
			c = r.text[r.at]
		}
		value = append(value, c)
		if r.at++; len(value) > most {
			r.fail("a text of more than %d characters", most)
		}
	}
	return ""
}

// list reads an array.
func list[T any](r *reader, element func() T) (all []T) {
	r.token("[")
	if r.err == nil && strings.HasPrefix(r.text[r.at:], "]") {
		r.at++
		return nil
	}
	for r.err == nil {
		all = append(all, element())
		if r.err == nil && strings.HasPrefix(r.text[r.at:], "]") {
			r.at++
			return all
		}
		r.token(",")
	}
	return nil
}

// ascending requires the strings of a list to be strictly ascending by their bytes.
func ascending[T any](r *reader, all []T, key func(T) string) {
	for i := 1; r.err == nil && i < len(all); i++ {
		if key(all[i-1]) >= key(all[i]) {
			r.fail("%q is not above %q, which is before it", key(all[i]), key(all[i-1]))
		}
	}
}

// outpoint reports whether a text is txid:vout.
func outpoint(text string) bool {
	txid, vout, found := strings.Cut(text, ":")
	return found && len(txid) == hashDigits && strings.Trim(txid, hexDigits) == "" && decimal(vout, math.MaxUint32)
}

// decimal reports whether a text is a number up to most, without a sign or leading zeros.
func decimal(text string, most uint64) bool {
	n, err := ParseAmount(text)
	return err == nil && n.hi == 0 && n.lo <= most
}
