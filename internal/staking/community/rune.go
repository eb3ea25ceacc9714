package community

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"moonfund/internal/bitcoin/runes"
)

// RuneID returns the id of the community's rune. It returns an error for a dev network's rune that is not etched yet.
func (m Manifest) RuneID() (runes.ID, error) {
	id, err := runes.ParseID(m.Rune.ID)
	if err != nil {
		return id, fmt.Errorf("community %s: rune.id: %w", m.Prefix, err)
	}
	return id, nil
}

// knownRunes maps the ids of the specification's runes to their names, which a manifest may omit. An empty name is read
// from the chain.
var knownRunes = map[string]string{
	DefaultRune:   "LOBO•THE•WOLF•PUP",
	"846682:3227": "",
	"878389:2822": "",
}

// RuneName returns the name of a rune, and whether the specification lists the rune's id. The name is empty if it must
// be read from the chain.
func RuneName(id string) (name string, known bool) {
	name, known = knownRunes[id]
	return name, known
}

// spacedName matches a name with optional single spacers between its letters. At most 28 letters fit in 128 bits.
var spacedName = regexp.MustCompile(`^[A-Z](•?[A-Z]){0,27}$`)

// validRuneID reports whether id is two decimal numbers separated by a colon, with a block height at which runes can be
// etched.
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

// RuneNamed returns the id of the rune with a name that the specification lists. It ignores case, spacers, dots and
// spaces.
func RuneNamed(name string) (id string, known bool) {
	plain := strings.NewReplacer("•", "", ".", "", " ", "")
	for id, spaced := range knownRunes {
		if spaced != "" && plain.Replace(spaced) == plain.Replace(strings.ToUpper(strings.TrimSpace(name))) {
			return id, true
		}
	}
	return "", false
}
