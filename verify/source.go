package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	fetchTimeout = 2 * time.Minute
	maxDocument  = 1 << 30 // bytes
)

// isURL reports whether a place is an address of a server rather than a file.
func isURL(place string) bool {
	return strings.HasPrefix(place, "https://") || strings.HasPrefix(place, "http://")
}

// read returns the bytes of a file or of an address. It returns os.ErrNotExist if there is no such document.
func read(ctx context.Context, place string) ([]byte, error) {
	if !isURL(place) {
		return os.ReadFile(place)
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, place, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotFound {
		return nil, fmt.Errorf("%s: %w", place, os.ErrNotExist)
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: the server answers %s", place, response.Status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxDocument+1))
	if err == nil && len(body) > maxDocument {
		err = fmt.Errorf("%s: more than %d bytes", place, maxDocument)
	}
	return body, err
}

// detailsBeside returns the place of the details of the statement at a place.
func detailsBeside(place string) string {
	if isURL(place) {
		return strings.TrimSuffix(place, "/") + "/details"
	}
	return strings.TrimSuffix(place, ".json") + "-details.json"
}

// statementFile matches the files of statements in an archive, and no other files there.
var statementFile = regexp.MustCompile(`-[0-9]+\.json$`)

// files returns the statements in a folder, or the file itself.
func files(place string) ([]string, error) {
	info, err := os.Stat(place)
	if err != nil || !info.IsDir() {
		return []string{place}, err
	}
	all, err := filepath.Glob(filepath.Join(place, "*.json"))
	found := slices.DeleteFunc(all, func(file string) bool { return !statementFile.MatchString(file) })
	if err == nil && len(found) == 0 {
		err = errors.New(place + " has no statements (COMMUNITY-SEQUENCE.json)")
	}
	return found, err
}
