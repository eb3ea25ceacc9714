package console

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/store"
	"moonfund/web"
)

//go:embed page.html style.css
var files embed.FS

var layout = template.Must(template.ParseFS(files, "page.html"))

// page is one page of the console: a title and blocks below each other.
type page struct {
	Title  string
	Intro  string
	Blocks []block

	alone bool // without navigation and search
}

// block is a section of a page. Its fields are shown in the order of this type.
type block struct {
	Heading  string
	Text     string
	Tabs     []tab
	Tiles    []tile
	Notices  []notice
	Fields   []field
	Table    *table
	Lines    []string // paragraphs
	Plain    string   // preformatted text to copy
	Commands []command
	Newer    string // link to the previous part of a list
	Older    string // link to the next part of a list
}

// tab is a link to one part of a list.
type tab struct {
	Text    string
	Link    string
	Current bool
}

// tone is the color of a text: a state of a server, an order or a sum.
type tone string

const (
	plain tone = ""
	good  tone = "good"
	warn  tone = "warn"
	bad   tone = "bad"
)

// tile is a figure of the overview.
type tile struct {
	Name  string
	Value string
	Note  string
	Link  string
	Tone  tone
}

// notice is an incident or a task, with advice for the operator.
type notice struct {
	Tone     tone
	Title    string
	Since    *instant
	Text     string // the reason
	Do       string // what to do
	Link     string
	LinkText string
	Commands []command
}

// field is a name with a value.
type field struct {
	Name  string
	Value cell
}

// cell is a value in a table or a field.
type cell struct {
	Text   string
	Note   string // a second line
	Full   string // the complete value of a shortened text
	Link   string
	Time   *instant
	Mono   bool
	Number bool
	Tone   tone
	Code   string // a command line
}

// instant is a time with its age.
type instant struct{ Text, Machine, Age string }

// table is a table with one heading per column.
type table struct {
	Name    string // for screen readers
	Columns []cell
	Rows    [][]cell
	Empty   string // shown instead of a table without rows
}

// request is a request for a page.
type request struct {
	context.Context
	tx        *store.Tx
	now       time.Time // of the ledger, for ages
	server    serverState
	query     url.Values
	id        string
	community string
}

// number returns the page number of a list, from 0.
func (r request) number() int {
	n, err := strconv.Atoi(r.query.Get("page"))
	const most = 100_000
	if err != nil || n < 1 || n > most {
		return 0
	}
	return n - 1
}

// route is a page with its path.
type route struct {
	pattern string
	name    string // in the navigation; "": not there
	server  bool   // needs the state of the server
	read    func(r request) (page, error)
}

// navigation is one entry of the navigation.
type navigation struct {
	Name, Link string
	Current    bool
}

// document is the data of the layout.
type document struct {
	page
	Navigation []navigation
	Query      string
	At         instant
	Alone      bool
}

// missing is an error for a subject that the ledger does not have.
type missing struct{ error }

func (e missing) Unwrap() error { return e.error }

// sentence is an error in whole sentences that a page shows unchanged.
type sentence string

func (s sentence) Error() string { return string(s) }

var (
	errNoPage error = missing{sentence(noPage)}
	errBusy   error = sentence(busy)
)

// show answers a request for a page.
func (c *Console) show(w http.ResponseWriter, r *http.Request, route route) {
	if !c.admitted(r) {
		c.write(w, r, http.StatusUnauthorized, page{Title: signInTitle, Intro: signIn, alone: true})
		return
	}
	shown, err := c.read(r, route)
	if err != nil {
		c.fail(w, r, err)
		return
	}
	c.write(w, r, http.StatusOK, shown)
}

// read reads a page from one snapshot of the ledger. It waits while maxReads other pages are read.
func (c *Console) read(r *http.Request, route route) (shown page, err error) {
	for _, name := range []string{"id", "community"} {
		if value := r.PathValue(name); value != "" && unsafe(value) { // PostgreSQL would end the transaction
			return shown, errNoPage
		}
	}
	waiting := time.NewTimer(queueing)
	defer waiting.Stop()
	select {
	case c.reads <- struct{}{}:
		defer func() { <-c.reads }()
	case <-waiting.C:
		return shown, errBusy
	case <-r.Context().Done():
		return shown, r.Context().Err()
	}
	ctx, cancel := context.WithTimeout(r.Context(), c.ReadTime)
	defer cancel()
	asked := request{Context: ctx, query: r.URL.Query(), id: r.PathValue("id"),
		community: r.PathValue("community")}
	if route.server {
		if asked.server, err = c.serverState(ctx); err != nil {
			return shown, err
		}
	}
	err = c.View(ctx, func(tx *store.Tx) (err error) {
		asked.tx = tx
		if asked.now, err = decisions.Now(ctx, tx); err != nil {
			return err
		}
		shown, err = route.read(asked)
		return err
	})
	return shown, err
}

// serverState reads the state of the server, outside of a transaction.
func (c *Console) serverState(ctx context.Context) (state serverState, err error) {
	community := ""
	err = c.View(ctx, func(tx *store.Tx) error {
		all, err := tx.Communities(ctx)
		if len(all) > 0 {
			community = all[0]
		}
		return err
	})
	if err != nil {
		return state, err
	}
	return c.Server.read(ctx, community), nil
}

// fail writes an error as a page.
func (c *Console) fail(w http.ResponseWriter, r *http.Request, err error) {
	if !c.admitted(r) {
		c.write(w, r, http.StatusUnauthorized, page{Title: signInTitle, Intro: signIn, alone: true})
		return
	}
	status, shown := http.StatusInternalServerError, page{Title: failedTitle, Intro: err.Error()}
	absent := missing{}
	switch {
	case errors.As(err, &absent):
		status, shown.Title = http.StatusNotFound, missingTitle
	case errors.Is(err, errBusy):
		status, shown.Title = http.StatusServiceUnavailable, busyTitle
		w.Header().Set("Retry-After", "5")
	case errors.Is(err, context.DeadlineExceeded):
		status, shown.Title, shown.Intro = http.StatusServiceUnavailable, busyTitle, tooSlow
	default:
		c.Log.Error("reading a page", "path", r.URL.Path, "error", err)
	}
	c.write(w, r, status, shown)
}

// write writes a page.
func (c *Console) write(w http.ResponseWriter, r *http.Request, status int, shown page) {
	now := c.Now()
	d := document{page: shown, Query: r.URL.Query().Get("q"), At: *since(now, now), Alone: shown.alone}
	for _, route := range c.routes {
		if route.name != "" {
			path := pathOf(route.pattern)
			d.Navigation = append(d.Navigation, navigation{route.name, path, r.URL.Path == path})
		}
	}
	var b bytes.Buffer
	if err := layout.ExecuteTemplate(&b, "page", d); err != nil {
		c.Log.Error("writing a page", "path", r.URL.Path, "error", err)
		http.Error(w, failedTitle, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // fails only if the browser closed the connection
}

func pathOf(pattern string) string {
	if pattern == "/{$}" {
		return "/"
	}
	return pattern
}

func serveStyle(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, "style.css") }

// serveFont serves a font of the web app.
func serveFont(w http.ResponseWriter, r *http.Request) {
	content, err := web.Font(r.PathValue("name"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "font/woff2")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// absent marks an error of a subject that the ledger does not have. Errors of the database are not marked.
func absent(err error) error {
	if unknown := decisions.Unknown(""); errors.As(err, &unknown) {
		return missing{err}
	}
	return err
}
