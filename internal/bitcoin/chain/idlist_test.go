package chain

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/btcsuite/btcd/chainhash/v2"
)

// listOf returns the JSON of a list of n ids, with sep between them. The ids end with their numbers.
func listOf(n int, sep string) string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf(`"%064x"`, i)
	}
	return "[" + strings.Join(ids, sep) + "]"
}

// A list of ids is decoded at any place in a response, with any white space, and from parts of any size.
func TestIDList(t *testing.T) {
	const n = 301
	for _, text := range []string{
		`{"result":` + listOf(n, ",") + `,"error":null,"id":1}`,
		`{"jsonrpc":"2.0","result":` + listOf(n, ",") + `,"id":1}`,
		`{"result":` + listOf(n, " ,\n\t") + `,"error":null}`,
		`{"error":null,"id":1,"result" : ` + listOf(n, ", ") + `}`,
		`{"id":"` + strings.Repeat("1", 100) + `","error":null,"result":` + listOf(n, ",") + `}`,
	} {
		for _, size := range []int64{-1, int64(len(text))} {
			var list idList
			answer, err := list.readResponse(http.StatusOK, size, iotest.OneByteReader(strings.NewReader(text)))
			if err == nil {
				err = decodeResult(answer.Result, &list)
			}
			if err != nil || len(list.ids) != n || list.ids[300] != (chainhash.Hash{0: 300 & 0xff, 1: 300 >> 8}) {
				t.Errorf("%.40s: %d ids, %v", text, len(list.ids), err)
			}
		}
	}
	for _, text := range []string{`{"result":[]}`, `{"result":[ ]}`, `{"result":null}`, `{"result": []}`} {
		var list idList
		answer, err := list.readResponse(http.StatusOK, -1, strings.NewReader(text))
		if err == nil {
			err = decodeResult(answer.Result, &list)
		}
		if err != nil || len(list.ids) != 0 {
			t.Errorf("%s: %d ids, %v", text, len(list.ids), err)
		}
	}
}

// An incomplete response and a result that is no list of ids are errors. A failed attempt adds no ids to the result of
// the next attempt.
func TestBadIDList(t *testing.T) {
	whole := `{"result":` + listOf(3, ",") + `,"error":null,"id":1}`
	bad := []string{
		`{"result":""}`, `{"result":[""]}`, `{"result":[1]}`, `{"result":[,]}`, `{"result":[[]]}`,
		`{"result":` + listOf(2, " ") + `}`, `{"result":` + listOf(2, ",,") + `}`, `{"result":` + listOf(1, "")[:66] + `,]}`,
		strings.Replace(whole, "0", "g", 1), strings.Replace(whole, "00", `\u0030`, 1),
		strings.Replace(whole, `"0`, `"00`, 1), whole + "}", `{"result":[],"error":`,
	}
	for n := range len(whole) {
		bad = append(bad, whole[:n])
	}
	for _, text := range bad {
		list := idList{ids: make([]chainhash.Hash, 1)}
		answer, err := list.readResponse(http.StatusOK, -1, strings.NewReader(text))
		if err == nil {
			err = decodeResult(answer.Result, &list)
		}
		if err == nil {
			t.Errorf("%s: %d ids, want an error", text, len(list.ids))
		}
	}
	var list idList
	for range 2 {
		if _, err := list.readResponse(http.StatusOK, -1, strings.NewReader(whole)); err != nil || len(list.ids) != 3 {
			t.Errorf("got %d ids and %v, want 3", len(list.ids), err)
		}
	}
	_, err := list.readResponse(http.StatusServiceUnavailable, -1, strings.NewReader("busy"))
	if !errors.Is(err, errBusy) {
		t.Errorf("got %v, want errBusy", err)
	}
	if _, err := list.readResponse(http.StatusFound, -1, strings.NewReader(whole)); err == nil {
		t.Error("a list with status 302 is no error")
	}
	failed := `{"result":null,"error":{"code":-28,"message":"loading"},"id":1}`
	answer, err := list.readResponse(http.StatusInternalServerError, -1, strings.NewReader(failed))
	if err != nil || answer.Error == nil || answer.Error.Code != -28 {
		t.Errorf("got %+v and %v, want the node's error", answer, err)
	}
}
