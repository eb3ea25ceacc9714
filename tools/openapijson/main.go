// Command openapijson converts an OpenAPI document from YAML to the JSON that the server embeds and serves.
//
//	openapijson IN.yaml OUT.json
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"gopkg.in/yaml.v3"
)

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: openapijson IN.yaml OUT.json"))
	}
	in, err := os.ReadFile(os.Args[1])
	fail(err)
	var document map[string]any
	fail(yaml.Unmarshal(in, &document))
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	fail(encoder.Encode(document))
	fail(os.WriteFile(os.Args[2], out.Bytes(), 0o644))
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "openapijson:", err)
		os.Exit(1)
	}
}
