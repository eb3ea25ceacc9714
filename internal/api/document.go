package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	"moonfund/internal/fault"
)

// serveDocument serves /openapi.json and its page, /openapi.
func (h *handler) serveDocument(w http.ResponseWriter, r *http.Request, name string) {
	if r.URL.Path != "/"+name {
		h.writeFault(w, r, fault.New(fault.NotFound, fault.NoSuchCall))
		return
	}
	if method(r) != http.MethodGet {
		h.methodNotAllowed(w, r, []string{http.MethodGet})
		return
	}
	body, kind := documentJSON, "application/json"
	if name == "openapi" {
		body, kind = h.page, "text/html; charset=utf-8"
		w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; style-src "+styleHash())
	}
	digest := sha256.Sum256(body)
	w.Header().Set("Content-Type", kind)
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, digest[:8]))
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

const pageStyle = `:root{color-scheme:dark light}` +
	`body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1.5rem}` +
	`h2{margin-top:2.5rem}details{border:1px solid #65738f;border-radius:.75rem;padding:.5rem 1rem;margin:.5rem 0}` +
	`summary{cursor:pointer;min-height:2rem}code,pre{font:14px/1.5 ui-monospace,monospace}` +
	`pre{overflow:auto;white-space:pre-wrap}` +
	`table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0}`

func styleHash() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

var pageTemplate = template.Must(template.New("openapi").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{{.Title}}</title><style>{{.Style}}</style></head><body><main>
<h1>{{.Title}}</h1>
<p>The machine-readable document: <a href="/openapi.json">openapi.json</a></p><pre>{{.Description}}</pre>
{{range .Groups}}<h2 id="{{.Name}}">{{.Name}}</h2><p>{{.Description}}</p>
{{range .Calls}}<details id="{{.ID}}"><summary><code>{{.Method}} {{.Path}}</code> {{.Summary}}</summary>
{{with .Description}}<p>{{.}}</p>{{end}}
{{with .Parameters}}<p>Parameters: {{range .}}<code>{{.}}</code> {{end}}</p>{{end}}
{{with .Body}}<p>Body: <a href="#type-{{.}}"><code>{{.}}</code></a></p>{{end}}
{{with .Reply}}<p>Answer: <a href="#type-{{.}}"><code>{{.}}</code></a></p>{{end}}
</details>{{end}}{{end}}
<h2>Types</h2>{{range .Types}}<details id="type-{{.Name}}"><summary><code>{{.Name}}</code> {{.Description}}</summary>
{{with .Fields}}<table><tr><th scope="col">field</th><th scope="col">type</th><th scope="col">meaning</th></tr>
{{range .}}<tr><td><code>{{.Name}}</code></td><td>{{.Type}}</td><td>{{.Description}}</td></tr>{{end}}</table>{{end}}
</details>{{end}}
</main></body></html>
`))

type (
	pageGroup struct {
		Name, Description string
		Calls             []pageCall
	}
	pageCall struct {
		ID, Method, Path, Summary, Description, Body, Reply string
		Parameters                                          []string
	}
	pageType struct {
		Name, Description string
		Fields            []pageField
	}
	pageField struct{ Name, Type, Description string }
)

// tree is the parsed document.
type tree = map[string]any

// documentPage renders the document as one HTML page without scripts or external resources.
func documentPage(raw []byte) ([]byte, error) {
	var doc tree
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, fmt.Errorf("openapi.json: %w", err)
	}
	p := pages{doc}
	info := branch(doc, "info")
	var page bytes.Buffer
	err := pageTemplate.Execute(&page, map[string]any{
		"Title": info["title"], "Description": info["description"], "Style": template.CSS(pageStyle),
		"Groups": p.groups(), "Types": p.types(),
	})
	return page.Bytes(), err
}

// pages renders the parts of the document.
type pages struct{ doc tree }

// groups returns the calls, grouped by their first tag, in the order of the document's tags.
func (p pages) groups() []pageGroup {
	var groups []pageGroup
	tags, _ := p.doc["tags"].([]any)
	for _, tag := range tags {
		t, _ := tag.(tree)
		group := pageGroup{Name: text(t, "name"), Description: text(t, "description")}
		paths := branch(p.doc, "paths")
		for _, path := range sortedKeys(paths) {
			methods := branch(paths, path)
			for _, method := range sortedKeys(methods) {
				op := branch(methods, method)
				if of, _ := op["tags"].([]any); len(of) > 0 && of[0] == group.Name {
					group.Calls = append(group.Calls, p.call(method, path, op))
				}
			}
		}
		groups = append(groups, group)
	}
	return groups
}

func (p pages) call(method, path string, op tree) pageCall {
	c := pageCall{
		ID: text(op, "operationId"), Method: strings.ToUpper(method), Path: path, Summary: text(op, "summary"),
		Description: text(op, "description"),
		Body:        p.schemaName(branch(op, "requestBody")), Reply: p.schemaName(branch(branch(op, "responses"), "200")),
	}
	parameters, _ := op["parameters"].([]any)
	for _, parameter := range parameters {
		node, _ := parameter.(tree)
		c.Parameters = append(c.Parameters, text(p.follow(node), "name"))
	}
	return c
}

// schemaName returns the name of the type of a body or a response, or "".
func (p pages) schemaName(node tree) string {
	kinds := branch(p.follow(node), "content")
	for _, kind := range sortedKeys(kinds) {
		return last("/" + text(branch(branch(kinds, kind), "schema"), "$ref"))
	}
	return ""
}

// follow returns the node that a reference names, or the node itself if it is not a reference.
func (p pages) follow(node tree) tree {
	ref := text(node, "$ref")
	if ref == "" {
		return node
	}
	found := p.doc
	for _, step := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
		found = branch(found, step)
	}
	return found
}

func (p pages) types() []pageType {
	schemas := branch(branch(p.doc, "components"), "schemas")
	var types []pageType
	for _, name := range sortedKeys(schemas) {
		node := branch(schemas, name)
		t := pageType{Name: name, Description: strings.TrimSpace(text(node, "description") + " " + typeText(node))}
		properties := branch(node, "properties")
		for _, field := range sortedKeys(properties) {
			property := branch(properties, field)
			description := text(property, "description")
			if description == "" {
				description = text(p.follow(property), "description")
			}
			t.Fields = append(t.Fields, pageField{field, typeText(property), description})
		}
		types = append(types, t)
	}
	return types
}

// typeText returns the type of a schema in words.
func typeText(node tree) string {
	if ref := text(node, "$ref"); ref != "" {
		return last(ref)
	}
	if items, ok := node["items"].(tree); ok {
		return "list of " + typeText(items)
	}
	if choices, ok := node["oneOf"].([]any); ok {
		words := make([]string, len(choices))
		for i, choice := range choices {
			words[i] = typeText(choice.(tree))
		}
		return strings.Join(words, " or ")
	}
	if values, ok := node["enum"].([]any); ok {
		return strings.ReplaceAll(strings.Trim(fmt.Sprint(values), "[]"), " ", ", ")
	}
	if kinds, ok := node["type"].([]any); ok {
		return strings.ReplaceAll(strings.Trim(fmt.Sprint(kinds), "[]"), " ", " or ")
	}
	return text(node, "type")
}

// branch returns an object of a node, or nil if there is none.
func branch(node tree, key string) tree {
	child, _ := node[key].(tree)
	return child
}

// text returns a text of a node, or "" if there is none.
func text(node tree, key string) string {
	s, _ := node[key].(string)
	return s
}

func sortedKeys(node tree) []string {
	keys := make([]string, 0, len(node))
	for key := range node {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
