package setup

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"moonfund/internal/amount"
	"moonfund/internal/staking/community"
)

//go:embed manifest.toml.tmpl
var manifestText string

// manifestAccount is the account of the manifest that setup writes.
const manifestAccount = 0

var manifestTemplate = template.Must(template.New("").Funcs(template.FuncMap{"toml": tomlText}).Parse(manifestText))

// tomlText returns text as a TOML string.
func tomlText(text string) string {
	if strings.Contains(text, "\n") && !strings.Contains(text, "'''") {
		return "'''\n" + text + "\n'''"
	}
	return strconv.Quote(text)
}

// Manifest returns the text of the manifest.
func (s *Setup) Manifest() string {
	var text strings.Builder
	day := s.Now().UTC().Format("2006-01-02")
	values := map[string]any{
		"S": s, "Budget": s.budget.String(), "Minimum": s.minimum.String(),
		"Symbol": s.etched.Symbol, "RuneName": s.etched.Name, "Terms": s.terms, "Day": day,
		"Account": manifestAccount,
	}
	if err := manifestTemplate.Execute(&text, values); err != nil {
		panic(err) // a strings.Builder does not fail, and the data has every value
	}
	return text.String()
}

// ofManifest checks an answer with the manifest's own rules for the keys. Problems of other keys are ignored, since
// their questions may not be answered yet.
func ofManifest(keys ...string) func(*Setup) error {
	return func(s *Setup) error {
		_, err := community.Read("the manifest", []byte(s.Manifest()), s.Network)
		var problems community.Problems
		if err != nil && !errors.As(err, &problems) {
			return err
		}
		for _, p := range problems {
			if slices.Contains(keys, p.Key) {
				return fmt.Errorf("found %s, want %s", p.Found, p.Want)
			}
		}
		return nil
	}
}

var wholeAmount = regexp.MustCompile(`^([0-9]{1,12})(\.([0-9]{1,8}))?$`)

// wholeRunes parses an amount of whole runes, with up to eight decimals.
func wholeRunes(text string) (amount.Runes, error) {
	parts := wholeAmount.FindStringSubmatch(strings.NewReplacer(",", "", " ", "", "_", "").Replace(text))
	wrong := fmt.Errorf("%q is not an amount of runes such as 10000 or 0.5", text)
	if parts == nil || strings.Contains(text, ",") && !groups.MatchString(text) {
		return 0, wrong
	}
	units, err := amount.ParseRunes(strings.TrimLeft(parts[1]+parts[3]+strings.Repeat("0",
		amount.RuneDecimals-len(parts[3])), "0"))
	if err != nil || units <= 0 {
		return 0, wrong
	}
	return units, nil
}

// groups matches an amount with commas between groups of three digits.
var groups = regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$`)
