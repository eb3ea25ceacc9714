package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	fetchTimeout = 2 * time.Minute
	maxDocument  = 1 << 30 // bytes
	maxWait      = time.Minute
)

// isURL reports whether a place is an address of a server rather than a file.
func isURL(place string) bool {
	return strings.HasPrefix(place, "https://") || strings.HasPrefix(place, "http://")
}

// fetch returns the bytes of a file or of an address. It returns os.ErrNotExist if there is no such document.
func fetch(ctx context.Context, place string) ([]byte, error) {
	if !isURL(place) {
		return os.ReadFile(place)
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, place, nil)
	if err != nil {
		return nil, err
	}
	response, err := send(request)
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

// send sends a request. While the server refuses requests because they come too fast, send waits as long as the server
// demands, at most maxWait.
func send(request *http.Request) (*http.Response, error) {
	for {
		response, err := http.DefaultClient.Do(request)
		if err != nil || response.StatusCode != http.StatusTooManyRequests {
			return response, err
		}
		seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
		if wait := time.Duration(seconds) * time.Second; err != nil || wait < 0 || wait > maxWait {
			return response, nil
		}
		response.Body.Close()
		select {
		case <-request.Context().Done():
			return nil, request.Context().Err()
		case <-time.After(time.Duration(seconds) * time.Second):
		}
	}
}

// detailsBeside returns the place of the details of the statement at a place.
func detailsBeside(place string) string {
	if isURL(place) {
		return strings.TrimSuffix(place, "/") + "/details"
	}
	return strings.TrimSuffix(place, ".json") + "-details.json"
}

// statementFile matches the names of the files of statements in an archive, and of no other files there.
var statementFile = regexp.MustCompile(`^(.+)-[0-9]+\.json$`)

// files returns the statements of a community in a folder, or the file itself. Without a community, the folder may have
// statements of one only.
func files(place, community string) (found []string, err error) {
	info, err := os.Stat(place)
	if err != nil || !info.IsDir() {
		return []string{place}, err
	}
	only := "" // the community of the files in found
	entries, err := os.ReadDir(place)
	for _, entry := range entries {
		name := statementFile.FindStringSubmatch(entry.Name())
		if name == nil || (community != "" && name[1] != community) {
			continue
		}
		if len(found) > 0 && name[1] != only {
			return nil, fmt.Errorf("%w: %s has statements of several communities: name one (--community)", ErrRequest, place)
		}
		only, found = name[1], append(found, filepath.Join(place, entry.Name()))
	}
	if err == nil && len(found) == 0 {
		err = errors.New(place + " has no statements (COMMUNITY-SEQUENCE.json)")
	}
	return found, err
}
