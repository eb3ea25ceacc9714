// Package web serves the web app: one page per host, chosen by the host's community, and its hashed assets.
//
// The app is built by Node into dist/, the dev wallet into dist-dev/ (npm run build). Both folders hold a committed
// .keep, so that Go builds without Node; the server then says that the app is not built.
package web

import (
	"embed"
	"io/fs"
	"net/http"
	"time"
)

//go:embed all:dist
var distFiles embed.FS

//go:embed all:dist-dev
var devFiles embed.FS

func sub(files embed.FS, folder string) fs.FS {
	inside, err := fs.Sub(files, folder)
	if err != nil {
		panic(err) // the folder's name is a constant of this file
	}
	return inside
}

// DevWallet serves the dev wallet's script. Use it on a dev network only: mount it at DevWalletPath and set
// Site.DevWallet. It responds with 404 if the script was not built.
func DevWallet() http.Handler {
	files := sub(devFiles, "dist-dev")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		script, err := fs.ReadFile(files, "devwallet.js")
		if err != nil {
			http.Error(w, "The dev wallet is not built. Run: npm run build", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Vary", "Accept-Encoding")
		if accepts(r, "gzip") {
			w.Header().Set("Content-Encoding", "gzip")
			script = compress(script)
		}
		serveBytes(w, r, script, etag(script))
	})
}

func serveBytes(w http.ResponseWriter, r *http.Request, content []byte, tag string) {
	w.Header().Set("ETag", tag)
	http.ServeContent(w, r, "", time.Time{}, newReader(content))
}
