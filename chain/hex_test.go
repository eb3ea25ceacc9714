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

// A long list of strings is cut out of a response. One that contains brackets is parsed as it is.
func TestLongList(t *testing.T) {
	list := "[" + strings.Repeat(`"`+strings.Repeat("0f", 32)+`",`, 300) + `"` + strings.Repeat("f0", 32) + `"]`
	for _, list := range []string{list, `["]",` + list[1:], `["a",` + list + `]`} {
		answer, err := decodeResponse(http.StatusOK, []byte(`{"result":`+list+`,"error":null,"id":1}`))
		if err != nil || string(answer.Result) != list {
			t.Errorf("%.20s: %v", list, err)
		}
	}
	var ids []listedID
	if err := decodeResult([]byte(list), &ids); err != nil || len(ids) != 301 || ids[300][0] != 0xf0 || cap(ids) > 310 {
		t.Errorf("%d ids, room for %d: %v", len(ids), cap(ids), err)
	}
	for _, text := range []string{`{"result":` + list[:len(list)-1], `{"result":` + list + `,"error":`} {
		if _, err := decodeResponse(http.StatusOK, []byte(text)); err == nil {
			t.Errorf("%.20s…%s: no error", text, text[len(text)-10:])
		}
	}
}
