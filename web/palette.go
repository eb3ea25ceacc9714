package web

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// paletteVariables are the CSS variables (web/src/app/theme.css) by the key of the color in a manifest.
var paletteVariables = map[string]string{
	"background": "night", "surface": "den", "raised": "raised", "line": "line", "edge": "edge", "heading": "moon",
	"text": "fur", "muted": "mist", "accent": "amber", "accent_hover": "amber-bright", "on_accent": "ink", "link": "ice",
}

var hexColor = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// paletteStyle is the style element with a community's colors; empty if it has none.
type paletteStyle struct {
	tag  string
	hash string // of the tag's content, for the Content-Security-Policy
}

// newPaletteStyle returns the style for a palette. It ignores values that are not colors, so that no other text gets
// into the style.
func newPaletteStyle(palette map[string]string) paletteStyle {
	var rules strings.Builder
	for _, key := range slices.Sorted(maps.Keys(palette)) {
		if variable := paletteVariables[key]; variable != "" && hexColor.MatchString(palette[key]) {
			fmt.Fprintf(&rules, "--color-%s:%s;", variable, palette[key])
		}
	}
	if rules.Len() == 0 {
		return paletteStyle{}
	}
	style := ":root{" + rules.String() + "}"
	sum := sha256.Sum256([]byte(style))
	return paletteStyle{"<style>" + style + "</style>", "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"}
}

// source returns the style's source for a Content-Security-Policy, to be appended to others.
func (p paletteStyle) source() string {
	if p.hash == "" {
		return ""
	}
	return " " + p.hash
}
