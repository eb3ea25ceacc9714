package api

import (
	"context"
	"fmt"
	"io"
	"testing"

	"moonfund/internal/state"
)

// fakeStatements has statement 3, with one owner.
type fakeStatements struct{}

func (fakeStatements) Head(ctx context.Context, community string) (string, error) {
	return fakeStatements{}.Signed(ctx, community, 3)
}

func (fakeStatements) Signed(_ context.Context, community string, sequence int64) (string, error) {
	if sequence != 3 {
		return "", state.ErrNotFound
	}
	return fmt.Sprintf(`{"statement":"%s-%d"}`, community, sequence), nil
}

func (f fakeStatements) Details(ctx context.Context, community string, sequence int64) (string, error) {
	return f.Signed(ctx, community, sequence)
}

func (f fakeStatements) Proof(ctx context.Context, community string, sequence int64, owner string) (string, error) {
	if owner != ordinalsAddr {
		return "", state.ErrNotFound
	}
	return f.Signed(ctx, community, sequence)
}

// Statements are served unchanged, to pages of every origin. The status for a missing document is 404.
func TestStatements(t *testing.T) {
	b := build(t, nil)
	for path, status := range map[string]int{
		"head": 200, "3": 200, "3/details": 200, "3/proofs/" + ordinalsAddr: 200, "4": 404, "4/details": 404, "-1": 404,
		"3/proofs/" + paymentAddr: 404, "3/proofs/": 404, "x": 404, "99999999999999999999": 404, "3/other": 404, "": 404,
		"head/details": 404,
	} {
		response := b.do(t, "GET", "/lobo/statements/"+path, "", nil)
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != status {
			t.Errorf("%s: got %d, %v, want %d", path, response.StatusCode, err, status)
		}
		if status == 200 && (string(body) != `{"statement":"lobo-3"}` ||
			response.Header.Get("Access-Control-Allow-Origin") != "*") {
			t.Errorf("%s: got %s, %v", path, body, response.Header)
		}
	}
}
