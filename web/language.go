package web

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"time"

	textlanguage "golang.org/x/text/language"
)

// language contains the formats of one language. The build derives them from the browser's rules (conventions in
// web/src/app/prerender.tsx), so that the server and the browser format values in the same way.
type language struct {
	Code, Name                 string // BCP 47, and the language's own name
	Decimal, Group             string
	Million, Billion, Trillion string   // after a compact number, with the space before it
	Weekdays, Months           []string // short, from Sunday and from January on
	Date                       string   // "{weekday}, {month} {day}, {hour}:{minute} UTC"
	Day                        string   // "{month} {day}, {year}"

	Durations struct{ Months, Days, Hours, Minutes, Seconds string } // "{n} months"
	Titles    map[string]string                                      // of pages, by Site.pageKey
}

// readLanguages returns the languages of the build; the first one is the default.
func readLanguages(dist fs.FS) ([]language, error) {
	raw, err := fs.ReadFile(dist, "pages/languages.json")
	if err != nil {
		return nil, err
	}
	var all []language
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("web: the build's languages: %w", err)
	}
	for _, l := range all {
		if len(l.Weekdays) != 7 || len(l.Months) != 12 || l.Code == "" {
			return nil, fmt.Errorf("web: the build's language %q is not whole", l.Code)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("web: the build has no languages")
	}
	return all, nil
}

// languageCookie stores the chosen language. Local storage does not work: disconnecting a wallet clears it, and the
// server could not read it.
const languageCookie = "language"

// chosenLanguage returns the code of the language that the visitor chose by a link (?lang=de) or earlier, or "". now
// reports whether this request makes the choice.
func chosenLanguage(r *http.Request, all []language) (code string, now bool) {
	if asked := r.URL.Query().Get("lang"); speaks(all, asked) {
		return asked, true
	}
	if kept, err := r.Cookie(languageCookie); err == nil && speaks(all, kept.Value) {
		return kept.Value, false
	}
	return "", false
}

// browserLanguage returns the code that Accept-Language (RFC 9110, 12.5.4) prefers, such as de for de-AT. The first
// language is the default, also for a malformed header.
func browserLanguage(header string, all []language) string {
	supported := make([]textlanguage.Tag, len(all))
	for i, l := range all {
		supported[i] = textlanguage.Make(l.Code)
	}
	wanted, _, err := textlanguage.ParseAcceptLanguage(header)
	if err != nil {
		return all[0].Code
	}
	_, index, _ := textlanguage.NewMatcher(supported).Match(wanted...)
	return all[index].Code
}

func speaks(all []language, code string) bool {
	for _, l := range all {
		if l.Code == code {
			return true
		}
	}
	return false
}

// keepLanguage stores the chosen language for a year.
func keepLanguage(w http.ResponseWriter, site Site, code string) {
	http.SetCookie(w, &http.Cookie{
		Name: languageCookie, Value: code, Path: "/", MaxAge: 365 * 24 * 3600, SameSite: http.SameSiteLaxMode, HttpOnly: true,
		Secure: strings.HasPrefix(site.Origin, "https:"),
	})
}

// duration formats seconds in one unit, with a count above 1: 7 days, 6 months. "" for 0. formatDuration in
// web/src/lib/format.ts has the same rules.
func (l language) duration(seconds int64) string {
	const minute, hour, day, month = 60, 3600, 86400, 30 * 86400
	for _, unit := range []struct {
		text    string
		seconds int64
	}{{l.Durations.Months, month}, {l.Durations.Days, day}, {l.Durations.Hours, hour}, {l.Durations.Minutes, minute},
		{l.Durations.Seconds, 1}} {
		if count := (seconds + unit.seconds/2) / unit.seconds; count >= 2 || unit.seconds == 1 && seconds > 0 {
			return strings.Replace(unit.text, "{n}", strconv.FormatInt(count, 10), 1)
		}
	}
	return ""
}

// day formats a date.
func (l language) day(at time.Time) string {
	at = at.UTC()
	return strings.NewReplacer("{month}", l.Months[at.Month()-1], "{day}", strconv.Itoa(at.Day()),
		"{year}", strconv.Itoa(at.Year())).Replace(l.Day)
}

const notAvailable = "N/A"

// written formats base units as whole tokens: compact from a million on (1.05B), and exact (1,050,000,000.5). Both
// round down. web/src/lib/format.ts has the same rules.
func (l language) written(units string, decimals int) (compact, exact string) {
	amount, ok := new(big.Int).SetString(units, 10)
	if !ok || amount.Sign() < 0 {
		return notAvailable, notAvailable
	}
	digits := fmt.Sprintf("%0*s", decimals+1, amount)
	whole, fraction := digits[:len(digits)-decimals], digits[len(digits)-decimals:]
	exact = l.decimal(whole, fraction)
	for _, scale := range []struct {
		digits int
		name   string
	}{{12, l.Trillion}, {9, l.Billion}, {6, l.Million}} {
		if cut := len(whole) - scale.digits; cut > 0 {
			return l.decimal(whole[:cut], whole[cut:cut+2]) + scale.name, exact
		}
	}
	return l.decimal(whole, fraction[:min(2, decimals)]), exact
}

// decimal formats a number with thousands separators and without trailing zeros.
func (l language) decimal(whole, fraction string) string {
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + l.Group + whole[i:]
	}
	if fraction = strings.TrimRight(fraction, "0"); fraction == "" {
		return whole
	}
	return whole + l.Decimal + fraction
}

// moment formats a time in UTC.
func (l language) moment(at time.Time) string {
	at = at.UTC()
	return strings.NewReplacer(
		"{weekday}", l.Weekdays[at.Weekday()], "{month}", l.Months[at.Month()-1], "{day}", strconv.Itoa(at.Day()),
		"{hour}", at.Format("15"), "{minute}", at.Format("04"),
	).Replace(l.Date)
}
