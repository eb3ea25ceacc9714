// Package api is the HTTP API of the server: routes, response envelope, rate limits and live events. openapi.yaml is
// the single source of the wire format. The types and the strict server are generated from it, and request bodies are
// checked against it.
package api

//go:generate go -C ../../tools tool oapi-codegen -config ../internal/api/codegen.yaml ../internal/api/openapi.yaml
//go:generate go -C ../../tools run ./openapijson ../internal/api/openapi.yaml ../internal/api/openapi.json
