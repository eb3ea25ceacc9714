package web

import (
	"net/http"
	"strings"
)

// Picture is a picture of a community's manifest, served below PicturePath.
type Picture struct {
	Type string // media type
	Data []byte
}

// PicturePath is where the pictures of manifests are; the names after it carry the content's hash.
const PicturePath = "/assets/pictures/"

// pictureEndings are the ends of file names by media type.
var pictureEndings = map[string]string{
	"image/svg+xml": ".svg", "image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp",
}

// Path is where the picture is served.
func (p Picture) Path() string {
	return PicturePath + strings.Trim(etag(p.Data), `"`) + pictureEndings[p.Type]
}

// picturePolicy keeps a picture that is opened as a page from running or loading anything.
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

func servePicture(w http.ResponseWriter, r *http.Request, site Site) {
	for _, picture := range site.Pictures {
		if picture.Path() == r.URL.Path {
			w.Header().Set("Content-Type", picture.Type)
			w.Header().Set("Content-Security-Policy", picturePolicy)
			w.Header().Set("Cache-Control", cacheForever)
			serveBytes(w, r, picture.Data, etag(picture.Data))
			return
		}
	}
	http.Error(w, "404, Not Found", http.StatusNotFound)
}
