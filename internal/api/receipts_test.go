package api

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"moonfund/internal/state"
)

// fakeReceipts has receipts of one owner.
type fakeReceipts struct{}

func (fakeReceipts) Of(_ context.Context, community, owner, actionID, orderID string, skip int32) (string, error) {
	if owner != ordinalsAddr {
		return "", state.ErrNotFound
	}
	return fmt.Sprintf(`["%s","%s","%s",%d]`, community, actionID, orderID, skip), nil
}

// Receipts are served unchanged, to pages of every origin.
func TestReceipts(t *testing.T) {
	b := build(t, nil)
	for path, want := range map[string]string{
		ordinalsAddr:                                `["lobo","","",0]`,
		ordinalsAddr + "?order=o&skip=3":            `["lobo","","o",3]`,
		ordinalsAddr + "?action=a":                  `["lobo","a","",0]`,
		strings.ToUpper(ordinalsAddr):               `["lobo","","",0]`,
		"nobody":                                    "400",
		"%20" + ordinalsAddr:                        "400",
		ordinalsAddr + "?skip=-1":                   "400",
		ordinalsAddr + "?skip=99999999999999999999": "400",
		ordinalsAddr + "?skip=100000":               `["lobo","","",100000]`,
		ordinalsAddr + "?skip=100001":               "400",
		ordinalsAddr + "?action=%00":                "400",
		ordinalsAddr + "?order=%ff":                 "400",
		ordinalsAddr + "?action=a&order=o":          "400",
		paymentAddr:                                 "404",
		ordinalsAddr + "/more":                      "404",
		"":                                          "404",
	} {
		response := b.do(t, "GET", "/lobo/receipts/"+path, "", nil)
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != 200 {
			if got := fmt.Sprint(response.StatusCode); got != want {
				t.Errorf("%s: got %s, want %s", path, got, want)
			}
			continue
		}
		if string(body) != want || response.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: got %s, %v", path, body, response.Header)
		}
	}
}
