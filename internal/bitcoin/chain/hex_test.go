package chain

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
)

// A result in hex is decoded, and anything else is an error.
func TestHexResult(t *testing.T) {
	for text, want := range map[string][]byte{`""`: {}, `"00fF"`: {0, 255}} {
		var got hexBytes
		if err := decodeResult([]byte(text), &got); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: got %x, %v", text, got, err)
		}
	}
	for _, text := range []string{`"0"`, `"0g"`, `"\u0030"`, `null`, `1`, `{}`, `["00"]`, ``} {
		var got hexBytes
		if err := decodeResult([]byte(text), &got); err == nil {
			t.Errorf("%s: got %x, want an error", text, got)
		}
	}
}

// A long string is cut out of a response, whatever surrounds it. Every other response is parsed as it is.
func TestLongResult(t *testing.T) {
	long := strings.Repeat("00ff", 5_000)
	for _, text := range []string{
		`{"result":"` + long + `","error":null,"id":1}`,
		`{"jsonrpc":"1.0","result":"` + long + `","error":null,"id":1}`,
		`{"error":null,"id":1,"result" : "` + long + `"}`,
	} {
		answer, err := decodeResponse(http.StatusOK, []byte(text))
		if err != nil || string(answer.Result) != `"`+long+`"` {
			t.Errorf("%.40s: %v", text, err)
		}
	}
	for _, text := range []string{
		`{"result":"` + long,
		`{"result":"` + long + `"`,
		`{"result":"` + long + `","error":`,
		`{"result":"` + long + `" "id":1}`,
	} {
		if _, err := decodeResponse(http.StatusOK, []byte(text)); err == nil {
			t.Errorf("%.20s…%s: no error", text, text[len(text)-10:])
		}
	}
	escaped := `{"result":"\u0030` + long + `","error":null,"id":1}`
	var got hexBytes
	answer, err := decodeResponse(http.StatusOK, []byte(escaped))
	if err != nil || decodeResult(answer.Result, &got) == nil {
		t.Errorf("an escaped digit: %v, %d bytes", err, len(got))
	}
}
