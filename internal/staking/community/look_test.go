package community

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestTermsAreMarkdownWithoutMarkup(t *testing.T) {
	with := func(text string) string {
		return whole + "[terms]\nversion = '1.2'\ndate = 2026-12-01\ntext = '''\n" + text + "\n'''\n"
	}
	m, err := Read("wolf.toml", []byte(with("# Rules\n\nBe **kind**. [More](https://example.org/x), "+
		"[bad](javascript:alert(1))")), "mainnet")
	if err != nil {
		t.Fatal(err)
	}
	html := "<h2>Rules</h2>\n<p>Be <strong>kind</strong>. <a href=\"https://example.org/x\">More</a>, " +
		"<a href=\"\">bad</a></p>\n"
	if m.Terms.HTML != html || m.Terms.Version != "1.2" ||
		!m.Terms.Date.Equal(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("terms %+v", m.Terms)
	}
	if missing := MissingTerms([]Manifest{m}); len(missing) > 0 {
		t.Errorf("terms are missing: %v", missing)
	}
	for _, text := range []string{
		"<script>alert(1)</script>", "a <b onclick=x>b</b>", "<!-- note -->", "![moon](https://example.org/moon.png)", "",
		strings.Repeat("a", MaxTerms+1),
	} {
		if _, err := Read("wolf.toml", []byte(with(text)), "mainnet"); err == nil ||
			!strings.Contains(err.Error(), "terms.text") {
			t.Errorf("terms %.40q: %v", text, err)
		}
	}
	for wrong, key := range map[string]string{
		"[terms]\ntext = 'a'\nversion = '1'": "terms.date", "[terms]\ntext = 'a'\ndate = 2026-12-01": "terms.version",
		"[terms]\nversion = '1'\ndate = '2026-12-01'": "terms.date", "[translated.fr]\nterms = '<b>'": "translated.fr.terms",
	} {
		if _, err := Read("wolf.toml", []byte(whole+wrong), "mainnet"); err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	plain, err := Read("wolf.toml", []byte(whole), "mainnet")
	if err != nil || len(MissingTerms([]Manifest{plain})) != 1 {
		t.Errorf("a manifest without terms: %v", err)
	}
}

func TestPaletteCanBeRead(t *testing.T) {
	m, err := Read("wolf.toml", []byte(whole+"[palette]\naccent = '#7fd6c8'\non_accent = '#06201c'\n"), "mainnet")
	if err != nil || len(m.Palette) != 2 || m.Palette["accent"] != "#7fd6c8" {
		t.Fatalf("palette %v, %v", m.Palette, err)
	}
	for wrong, want := range map[string]string{
		"accent = '#333333'":     "palette.accent: found \"#333333\", want a contrast of at least 4.5 with background",
		"background = '#ffffff'": "palette.text",
		"raised = '#8090a0'":     "a darker color: the contrast with the color of errors",
		"edge = '#20242c'":       "a contrast of at least 3.0",
		"on_accent = '#ffffff'":  "with accent (#ffb84d)",
		"text = 'red'":           "a color such as #ffb84d",
		"night = '#000000'":      "no such key",
	} {
		_, err := Read("wolf.toml", []byte(whole+"[palette]\n"+wrong+"\n"), "mainnet")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", wrong, err, want)
		}
	}
	for pair, want := range map[[2]string]float64{
		{"#000000", "#ffffff"}: 21, {"#ffffff", "#ffffff"}: 1, {"#767676", "#ffffff"}: 4.54,
	} {
		if got := contrastOf(pair[0], pair[1]); got < want-0.01 || got > want+0.01 {
			t.Errorf("contrast of %v: %.2f, want %.2f", pair, got, want)
		}
	}
}

// The stylesheet of the web pages has the same colors under the same names.
func TestDefaultPaletteIsThePages(t *testing.T) {
	theme, err := os.ReadFile("../../../web/src/app/theme.css")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../../../web/palette.go")
	if err != nil {
		t.Fatal(err)
	}
	for key, color := range DefaultPalette {
		name := regexp.MustCompile(`"` + key + `": +"([a-z-]+)"`).FindSubmatch(source)
		if name == nil || !bytes.Contains(theme, []byte("--color-"+string(name[1])+": "+color+";")) {
			t.Errorf("%s is not %s in theme.css", key, color)
		}
	}
}

func TestPicturesAreChecked(t *testing.T) {
	var pixels, wide bytes.Buffer
	if err := png.Encode(&pixels, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(&wide, image.NewGray(image.Rect(0, 0, MaxSide+1, 1))); err != nil {
		t.Fatal(err)
	}
	const head = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">`
	for _, c := range []struct {
		file    string
		content []byte
		want    string // empty: the picture is valid
	}{
		{"a.svg", []byte(head + `<defs><g id="a"/></defs><use href="#a" fill="url(#b)"/></svg>`), ""},
		{"a.png", pixels.Bytes(), ""},
		{"a.webp", []byte("RIFF\x10\x00\x00\x00WEBPVP8 \x00\x00\x00\x00"), ""},
		{"a.svg", []byte(head + `<script>alert(1)</script></svg>`), "without scripts"},
		{"a.svg", []byte(head + `<g onload="alert(1)"/></svg>`), "without scripts"},
		{"a.svg", []byte(head + `<image href="https://example.org/a.png"/></svg>`), "without scripts"},
		{"a.svg", []byte(head + `<use xlink:href="https://example.org/a.svg#a"/></svg>`), "without scripts"},
		{"a.svg", []byte(head + `<rect fill="url(https://example.org/a)"/></svg>`), "without scripts"},
		{"a.svg", []byte(head + `<foreignObject/></svg>`), "without scripts"},
		{"a.svg", []byte(head + `<style>@import "x"</style></svg>`), "without scripts"},
		{"a.svg", []byte(head + `<a href="javascript:alert(1)"/></svg>`), "without scripts"},
		{"a.svg", []byte(`<!DOCTYPE svg [<!ENTITY a "b">]>` + head + `</svg>`), "without scripts"},
		{"a.svg", []byte(`<html><svg/></html>`), "without scripts"},
		{"a.svg", []byte(`<?xml version="1.0"?>` + "\n" + head + "</svg>\n"), ""},
		{"a.svg", []byte(`<?xml-stylesheet href="https://example.org/a.css"?>` + head + `</svg>`), "without scripts"},
		{"a.svg", []byte(head + `<g xml:base="https://example.org/"/></svg>`), "without scripts"},
		{"a.svg", []byte(head + `<rect fill="image-set('https://example.org/a' 1x)"/></svg>`), "without scripts"},
		{"a.svg", []byte(`<svg xmlns="http://www.w3.org/1999/xhtml"/>`), "without scripts"},
		{"a.svg", []byte(head + `<h:g xmlns:h="http://www.w3.org/1999/xhtml"/></svg>`), "without scripts"},
		{"a.svg", []byte(head + `</svg>text`), "without scripts"},
		{"a.svg", []byte(head + `</svg>` + head + `</svg>`), "without scripts"},
		{"a.svg", []byte(head), "without scripts"},
		{"a.svg", nil, "without scripts"},
		{"a.png", wide.Bytes(), "at most 4096 pixels"},
		{"a.png", []byte("<html><script>alert(1)</script></html>"), "an SVG, PNG, JPEG or WebP"},
		{"a.png", bytes.Repeat([]byte("a"), MaxLogo+1), "at most 100 kB"},
		{"b.png", pixels.Bytes(), "a file that is there"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, c.file), c.content, 0o600); err != nil {
			t.Fatal(err)
		}
		name := strings.Replace(c.file, "b.", "missing.", 1)
		pictures, err := ReadPictures(dir, Manifest{Prefix: "wolf", Image: name})
		switch {
		case c.want == "" && (err != nil || len(pictures) != 1):
			t.Errorf("%s %.60s: %v", c.file, c.content, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || len(pictures) > 0):
			t.Errorf("%s %.60s: %v, want %s", c.file, c.content, err, c.want)
		}
	}
	for _, name := range []string{"", "/assets/a.svg", "https://example.org/a.png"} {
		if pictures, err := ReadPictures(t.TempDir(), Manifest{Image: name}); err != nil || len(pictures) > 0 {
			t.Errorf("%q: %v", name, err)
		}
	}
}
