package server

import (
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"moonfund/internal/api"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// readingRoutes are the routes with a method other than GET that write nothing, with the reason.
var readingRoutes = map[string]string{
	"/infoGlobals":         "reads the figures of a community",
	"/postInfoWallet":      "reads the sums of a wallet",
	"/fetchWalletUtxos":    "reads the units of a wallet",
	"/fetchClientPOs":      "reads the orders of a wallet",
	"/fetchPOTxHistory":    "reads the payments of an order",
	"/estimateAction":      "computes a price in a read-only transaction",
	"/estimateOneTx":       "computes a price in a read-only transaction",
	"/recoveryKit":         "reads the stakes of a wallet",
	"/pushState":           "reads whether a browser is subscribed",
	"/sendRecovery":        "sends a transaction to the node; the follower records it as any other, see BenchmarkWriter",
	"/runes/mint/estimate": "computes a price in a read-only transaction",
	"/runes/etch/estimate": "computes a price in a read-only transaction",
}

// TestEveryChangingRouteIsAttacked checks that BenchmarkRequests attacks each route that can change the ledger, and
// that the other routes write nothing.
func TestEveryChangingRouteIsAttacked(t *testing.T) {
	l := opened(t, engine.New(t, nil))
	l.Etching.DisabledReason = ""
	l.Etching.Ready = func(context.Context) error { return nil }
	config := l.apiConfig(nil)
	config.Services.State = alwaysReady{config.Services.State}
	handler, err := api.New(config)
	must(t, err)
	var attacked []string
	for _, a := range attacks() {
		attacked = append(attacked, a.routes...)
	}
	documented := documentedRoutes(t, handler)
	for _, route := range documented {
		if _, reads := readingRoutes[route]; reads == slices.Contains(attacked, route) {
			t.Errorf("%s must be a route of attacks or, if it writes nothing, of readingRoutes, and not of both", route)
		}
	}
	for _, route := range slices.Concat(attacked, slices.Sorted(maps.Keys(readingRoutes))) {
		if !slices.Contains(documented, route) {
			t.Errorf("%s is no route of the handler", route)
		}
	}
	for _, end := range registeredRoutes(t) {
		end = strings.TrimPrefix(end, "/orders/{network}/v1")
		if !slices.ContainsFunc(documented, func(route string) bool {
			return strings.HasSuffix(strings.ReplaceAll(route, "{orderId}", "{id}"), end)
		}) {
			t.Errorf("a route that ends in %q is registered, but not documented", end)
		}
	}
	wallet := testkit.NewWallet(t, "reader", l.Network)
	for route := range readingRoutes {
		before := l.Store.Commits()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, served(l, route), strings.NewReader(`{
			"w_wallet_code": "`+wallet.Payment.Text+`", "w_wallet_code_ord": "`+wallet.Ordinals.Text+`", "utxos": ["1:0"],
			"wa_action_type": "WITHDRAW", "order_id": "1", "tx": "00", "runeName": "UNCOMMONGOODS", "feeRate": 2,
			"destinationAddress": "`+wallet.Ordinals.Text+`", "repeats": 1, "isMintable": false, "premine": "1"}`))
		r.Host = "localhost"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code == http.StatusNotFound || w.Code == http.StatusMethodNotAllowed || l.Store.Commits() != before {
			t.Errorf("%s: %d, %d commits, %s", route, w.Code, l.Store.Commits()-before, w.Body)
		}
	}
}

// served returns the path at which the server serves a route.
func served(l ledgerFile, route string) string {
	if strings.HasPrefix(route, "/runes/") || strings.HasPrefix(route, "/orders/") {
		return "/orders/" + l.Network.Name + "/v1" + route
	}
	return "/lobo" + route
}

// documentedRoutes returns the routes of the OpenAPI document with a method other than GET.
func documentedRoutes(t *testing.T, handler http.Handler) (routes []string) {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/openapi.json", http.NoBody)
	r.Host = "localhost"
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	must(t, json.Unmarshal(w.Body.Bytes(), &document))
	for path, members := range document.Paths {
		for _, method := range []string{"post", "put", "patch", "delete"} {
			if members[method] != nil {
				routes = append(routes, path)
			}
		}
	}
	if len(routes) < 20 {
		t.Fatalf("the document has only %d routes", len(routes))
	}
	return routes
}

// registeredRoutes returns the ends of the patterns with a method other than GET, or without a method, that package api
// registers. It omits patterns whose handler refuses every method.
func registeredRoutes(t *testing.T) (ends []string) {
	files, err := filepath.Glob("../api/*.go")
	must(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		must(t, err)
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
		must(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, isCall := n.(*ast.CallExpr)
			if !isCall || len(call.Args) != 2 {
				return true
			}
			name, isMethod := call.Fun.(*ast.SelectorExpr)
			if !isMethod || name.Sel.Name != "HandleFunc" && name.Sel.Name != "Handle" || refuses(call.Args[1]) {
				return true
			}
			if method, path := patternOf(call.Args[0]); method != http.MethodGet && path != "/" {
				ends = append(ends, path)
			}
			return true
		})
	}
	if len(ends) < 20 {
		t.Fatalf("found only %d registered routes", len(ends))
	}
	return ends
}

// refuses reports whether a handler is the result of runeOrders.allow, which refuses the method.
func refuses(handler ast.Expr) bool {
	call, isCall := handler.(*ast.CallExpr)
	if !isCall {
		return false
	}
	name, isMethod := call.Fun.(*ast.SelectorExpr)
	return isMethod && name.Sel.Name == "allow"
}

// patternOf returns the method of a pattern, or "", and the literals of its path.
func patternOf(pattern ast.Expr) (method, path string) {
	ast.Inspect(pattern, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if name, isMethod := strings.CutPrefix(n.Sel.Name, "Method"); isMethod {
				method = strings.ToUpper(name)
			}
		case *ast.BasicLit:
			text, _ := strconv.Unquote(n.Value)
			if before, after, hasMethod := strings.Cut(text, " "); hasMethod {
				text = after
				if before != "" {
					method = before
				}
			}
			path += text
		}
		return true
	})
	return method, path
}
