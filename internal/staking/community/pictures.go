package community

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // for image.DecodeConfig
	_ "image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// The maximum sizes of picture files, in bytes, and the maximum width and height of a PNG or JPEG picture, in pixels.
const (
	MaxLogo = 100 << 10
	MaxHero = 400 << 10
	MaxSide = 4096
)

// Picture is a picture file in the folder of a manifest.
type Picture struct {
	Type string // media type
	Data []byte
}

// pictureFile matches the name of a picture in the folder of the manifest.
var pictureFile = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,60}\.(svg|png|jpg|jpeg|webp)$`)

// IsPictureFile reports whether a manifest's value names a file in the manifest's folder.
func IsPictureFile(name string) bool { return pictureFile.MatchString(name) }

// ReadPictures reads the picture files that a manifest names, from the manifest's folder, and returns them by name.
// Load does not read them, because the signer and most commands do not need them. The error is Problems; the valid
// pictures are returned with it.
func ReadPictures(dir string, m Manifest) (map[string]Picture, error) {
	pictures := map[string]Picture{}
	var problems Problems
	for _, one := range []struct {
		key, name string
		limit     int
	}{{"image", m.Image, MaxLogo}, {"hero", m.Hero, MaxHero}} {
		if !IsPictureFile(one.name) {
			continue // a path of the server, a URL, or empty
		}
		picture, err := readPicture(filepath.Join(dir, one.name), one.limit)
		if err != nil {
			problems = append(problems, Problem{m.Prefix, one.key, one.name, err.Error()})
			continue
		}
		pictures[one.name] = picture
	}
	if len(problems) > 0 {
		return pictures, problems
	}
	return pictures, nil
}

// readPicture reads a picture of at most limit bytes. The error names the accepted formats and sizes.
func readPicture(path string, limit int) (Picture, error) {
	file, err := os.Open(path)
	if err != nil {
		return Picture{}, errors.New("a file that is there: " + err.Error())
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, int64(limit)+1))
	if err != nil {
		return Picture{}, err
	}
	if len(data) > limit {
		return Picture{}, fmt.Errorf("a file of at most %d kB", limit>>10)
	}
	if strings.HasSuffix(path, ".svg") {
		return Picture{"image/svg+xml", data}, checkSVG(data)
	}
	kind := http.DetectContentType(data)
	switch kind {
	case "image/png", "image/jpeg":
		config, _, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil || config.Width > MaxSide || config.Height > MaxSide {
			return Picture{}, fmt.Errorf("a picture that can be read, of at most %d pixels in width and height", MaxSide)
		}
	case "image/webp":
	default:
		return Picture{}, errors.New("an SVG, PNG, JPEG or WebP picture")
	}
	return Picture{kind, data}, nil
}

// svgElements matches the allowed elements of an SVG. Scripts, links, foreign markup and animations are not allowed.
var svgElements = regexp.MustCompile(`^(svg|g|defs|symbol|use|title|desc|metadata|path|rect|circle|ellipse|line|` +
	`polyline|polygon|text|tspan|linearGradient|radialGradient|stop|clipPath|mask|pattern|filter|fe[A-Za-z]+)$`)

const svgNamespace = "http://www.w3.org/2000/svg"

var errSVG = errors.New("an SVG picture without scripts, links, styles, pictures and entities")

// checkSVG returns an error for an SVG that could run a script or load a resource, for example with feImage or with
// another document after it.
func checkSVG(data []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(data))
	depth, ended := 0, false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && ended {
			return nil
		}
		if err != nil {
			return errSVG
		}
		switch token := token.(type) {
		case xml.Directive:
			return errSVG
		case xml.ProcInst: // xml-stylesheet loads a style
			if token.Target != "xml" {
				return errSVG
			}
		case xml.CharData:
			if depth == 0 && len(bytes.Trim(token, " \t\r\n\ufeff")) > 0 {
				return errSVG
			}
		case xml.StartElement:
			if isRoot := depth == 0; ended || isRoot != (token.Name.Local == "svg") || token.Name.Space != svgNamespace ||
				!svgElements.MatchString(token.Name.Local) || token.Name.Local == "feImage" || !harmless(token.Attr) {
				return errSVG
			}
			depth++
		case xml.EndElement:
			depth--
			ended = depth == 0
		}
	}
}

// loading matches functions of CSS that load a resource, besides url.
var loading = regexp.MustCompile(`(image|image-set|src|cross-fade)\s*\(`)

// harmless reports whether no attribute runs a script or loads a resource. References may only point into the picture.
func harmless(attributes []xml.Attr) bool {
	for _, attribute := range attributes {
		name, value := strings.ToLower(attribute.Name.Local), strings.ToLower(attribute.Value)
		switch {
		case strings.HasPrefix(name, "on"),
			name == "base", // it changes where "#a" points to
			name == "href" && !strings.HasPrefix(value, "#"),
			loading.MatchString(value),
			strings.Contains(strings.ReplaceAll(value, "url(#", ""), "url("),
			strings.Contains(value, "javascript:"), strings.Contains(value, "\\"):
			return false
		}
	}
	return true
}
