package api

import (
	"encoding/json"
	"testing"
)

// TestDocumentHasNoStrayKeys finds unquoted descriptions that YAML cut at a comma, because the remainder became a key
// without a value.
func TestDocumentHasNoStrayKeys(t *testing.T) {
	var walk func(at string, value any)
	walk = func(at string, value any) {
		switch v := value.(type) {
		case nil:
			t.Errorf("%s has no value: quote the text before it", at)
		case map[string]any:
			for key, member := range v {
				walk(at+"/"+key, member)
			}
		case []any:
			for _, item := range v {
				walk(at, item)
			}
		}
	}
	var document any
	if err := json.Unmarshal(documentJSON, &document); err != nil {
		t.Fatal(err)
	}
	walk("", document)
}
