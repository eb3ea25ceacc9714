package community

import (
	"regexp"
	"strconv"
	"strings"
)

// knownRunes maps the runes of the specification to their names. An empty name is read from the chain: the entry exists
// so that a manifest may leave the name out.
var knownRunes = map[string]string{
	DefaultRune:   "LOBO•THE•WOLF•PUP",
	"846682:3227": "",
	"878389:2822": "",
}

// RuneName returns the name of a rune that the specification knows, and whether it knows the id at all. The name is
// empty where only the chain has it.
func RuneName(id string) (name string, known bool) {
	name, known = knownRunes[id]
	return name, known
}

// spacedName is letters with single spacers between them; at most 28 letters fit in 128 bits.
var spacedName = regexp.MustCompile(`^[A-Z](•?[A-Z]){0,27}$`)

// validRuneID reports whether id has exactly two parts separated by a colon, both plain decimal numbers, and a block that
// can hold an etching.
func validRuneID(id string) bool {
	parts := strings.Split(id, ":")
	if len(parts) != 2 {
		return false
	}
	block, err1 := strconv.ParseUint(parts[0], 10, 64)
	tx, err2 := strconv.ParseUint(parts[1], 10, 32)
	return err1 == nil && err2 == nil && block > 0 &&
		parts[0] == strconv.FormatUint(block, 10) && parts[1] == strconv.FormatUint(tx, 10)
}
