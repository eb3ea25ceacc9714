// Package reserves compares the reserves of a statement with an Esplora or ord server.
package reserves

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

const (
	timeout    = 30 * time.Second
	maxAnswer  = 16 << 20 // bytes
	maxRefused = 200      // bytes of an error that are shown
)

// errMissing means that the server answered with status 404.
var errMissing = errors.New("the server has no such thing")

// server is the address of an API.
type server struct{ base *url.URL }

func newServer(address string) (server, error) {
	base, err := url.Parse(address)
	if err != nil || base.Host == "" || (base.Scheme != "https" && base.Scheme != "http") {
		return server{}, fmt.Errorf("%q is not an address such as https://esplora.example.org/api", address)
	}
	return server{base}, nil
}

// get reads an answer: JSON into a pointer, or text into a *string.
func (s server) get(ctx context.Context, into any, path ...string) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	address := s.base.JoinPath(path...).String()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", address, err)
	case response.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%s: %w", address, errMissing)
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("%s: %s: %.*q", address, response.Status, maxRefused, body)
	}
	if text, isText := into.(*string); isText {
		*text = string(body)
		return nil
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	return nil
}
