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

// PicturePath is the folder of the manifests' pictures. File names contain the hash of the content.
const PicturePath = "/assets/pictures/"

// pictureEndings are file extensions by media type.
var pictureEndings = map[string]string{
	"image/svg+xml": ".svg", "image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp",
}

// Path returns the URL path of the picture.
func (p Picture) Path() string {
	return PicturePath + strings.Trim(etag(p.Data), `"`) + pictureEndings[p.Type]
}

// picturePolicy prevents a picture that is opened as a page from running scripts or loading files.
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
