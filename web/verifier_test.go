package web

import (
	"compress/gzip"
	"io"
	"net/http/httptest"
	"testing"
)

// The verifier is one file for every host, and is served with the policy that it contains, and with the address of the
// community's statements.
func TestVerifier(t *testing.T) {
	handler := newHandler(built(), sites)
	for host, link := range map[string]string{
		"lobo":  `</lobo/statements>; rel="related"`,
		"dummy": `<https://api.example.org/base/dummy/statements>; rel="related"`,
		"moon":  "",
	} {
		request := httptest.NewRequest("GET", "http://"+host+".example.org"+VerifierPath, nil)
		response := httptest.NewRecorder()
		handler.ServeHTTP(response, request)
		if response.Code != 200 || response.Body.String() != verifyHTML {
			t.Errorf("%s: got %d %s", host, response.Code, response.Body)
		}
		const want = "default-src 'none'; connect-src https:; frame-ancestors 'none'"
		if got := response.Header().Get("Content-Security-Policy"); got != want {
			t.Errorf("%s: got the policy %q", host, got)
		}
		if got := response.Header().Get("Link"); got != link {
			t.Errorf("%s: got the link %q, want %q", host, got, link)
		}
	}
}

// The page is compressed once. A client that has it gets 304.
func TestVerifierIsCompressedOnce(t *testing.T) {
	handler := newHandler(built(), sites)
	request := httptest.NewRequest("GET", "http://lobo.example.org"+VerifierPath, nil)
	request.Header.Set("Accept-Encoding", "gzip")
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, request)
	reader, err := gzip.NewReader(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if page, err := io.ReadAll(reader); err != nil || string(page) != verifyHTML {
		t.Fatalf("got %q, %v", page, err)
	}
	request.Header.Set("If-None-Match", response.Header().Get("ETag"))
	again := httptest.NewRecorder()
	handler.ServeHTTP(again, request)
	if again.Code != 304 || again.Body.Len() != 0 {
		t.Errorf("got %d with %d bytes, want 304", again.Code, again.Body.Len())
	}
}

func TestVerifierWithoutPolicy(t *testing.T) {
	dist := built()
	dist["pages/verify.html"].Data = []byte("<html></html>")
	if _, err := readVerifier(dist); err == nil {
		t.Error("a page without a policy is accepted")
	}
}
