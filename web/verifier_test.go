package web

import (
	"net/http/httptest"
	"testing"
)

// The verifier is one file for every host, and is served with the policy that it contains.
func TestVerifier(t *testing.T) {
	handler := newHandler(built(), sites)
	for _, host := range []string{"lobo", "dummy", "moon"} {
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
	}
}

func TestVerifierWithoutPolicy(t *testing.T) {
	dist := built()
	dist["pages/verify.html"].Data = []byte("<html></html>")
	if _, err := readVerifier(dist); err == nil {
		t.Error("a page without a policy is accepted")
	}
}
