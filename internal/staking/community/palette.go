package community

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// DefaultPalette has the colors that a manifest can set, with their default values (web/src/app/theme.css).
var DefaultPalette = map[string]string{
	"background":   "#090c14",
	"surface":      "#10151f", // cards
	"raised":       "#171e2c", // selected or hovered elements
	"line":         "#232c3d", // dividers within a card
	"edge":         "#65738f", // borders of buttons and fields
	"heading":      "#f2f5fb",
	"text":         "#c3cde0",
	"muted":        "#93a1bd", // labels and notes
	"accent":       "#ffb84d", // the main button, and warnings
	"accent_hover": "#ffc875",
	"on_accent":    "#1c1204", // text on the accent
	"link":         "#9cc8ff", // links, focus, and charts
}

// fixedColors are text colors that the page uses on every palette.
var fixedColors = map[string]string{"the color of success": "#63dca9", "the color of errors": "#ff8d7d"}

// The minimum contrasts of WCAG 2.2, level AA, for text and for the edges of controls.
const (
	textContrast = 4.5
	edgeContrast = 3
)

var hexColor = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// buildPalette reads the colors that a community replaces and checks that text and controls in them have enough
// contrast.
func buildPalette(r *reader) map[string]string {
	defer r.finish()
	chosen, all := map[string]string{}, map[string]string{}
	for _, key := range sortedKeys(DefaultPalette) {
		all[key] = r.text(key, new(string), "a color such as #ffb84d, in lower case", hexColor.MatchString)
		if all[key] == "" {
			all[key] = DefaultPalette[key]
			continue
		}
		chosen[key] = all[key]
	}
	for _, ground := range []string{"background", "surface", "raised"} {
		for _, key := range []string{"heading", "text", "muted", "accent", "accent_hover", "link"} {
			r.contrast(key, all[key], ground, all[ground], textContrast)
		}
		r.contrast("edge", all["edge"], ground, all[ground], edgeContrast)
		for _, name := range sortedKeys(fixedColors) {
			if ratio := contrastOf(fixedColors[name], all[ground]); ratio < textContrast {
				r.wrong(ground, all[ground], fmt.Sprintf("a darker color: the contrast with %s (%s) is %.2f and must be %.1f",
					name, fixedColors[name], ratio, textContrast))
			}
		}
	}
	for _, ground := range []string{"accent", "accent_hover"} {
		r.contrast("on_accent", all["on_accent"], ground, all[ground], textContrast)
	}
	return chosen
}

// contrast reports a color with too little contrast to its background.
func (r *reader) contrast(key, color, ground, behind string, least float64) {
	if ratio := contrastOf(color, behind); ratio < least {
		r.wrong(key, color, fmt.Sprintf("a contrast of at least %.1f with %s (%s); it is %.2f", least, ground, behind, ratio))
	}
}

// contrastOf returns the contrast ratio of two colors by WCAG 2.2, from 1 to 21.
func contrastOf(one, other string) float64 {
	high, low := luminance(one), luminance(other)
	if high < low {
		high, low = low, high
	}
	return (high + 0.05) / (low + 0.05)
}

// luminance returns the relative luminance of a color by WCAG 2.2, from 0 to 1.
func luminance(color string) float64 {
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		value, _ := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8) // valid hexadecimal: hexColor matched
		part := float64(value) / 255
		if part <= 0.04045 {
			part /= 12.92
		} else {
			part = math.Pow((part+0.055)/1.055, 2.4)
		}
		sum += weight * part
	}
	return sum
}
