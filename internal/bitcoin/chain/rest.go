package chain

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
)

// restPause is the time without attempts after a node did not serve a block over REST.
const restPause = 10 * time.Minute

// restBlock returns the block with this hash from the REST interface of Core (-rest). The node serves a binary block in
// a small part of the time that hex in JSON takes. It sends no credentials, because REST has none. served is false if
// the node did not serve this block, or did not serve an earlier block in the last restPause, for any reason: a proxy
// in front of the node may answer every path with its own page.
func (c *Client) restBlock(ctx context.Context, hash chainhash.Hash, height int64) (block Block, served bool) {
	if c.configErr != nil || time.Now().UnixNano() < c.restAfter.Load() {
		return Block{}, false
	}
	began := time.Now()
	var raw []byte
	err := traced(ctx, "rest/block", func(ctx context.Context) error {
		return c.limited(ctx, func(ctx context.Context) (err error) {
			raw, err = c.get(ctx, "rest/block/"+hash.String()+".bin")
			return err
		})
	})
	if err == nil {
		if fn := c.observer.Load(); fn != nil {
			(*fn)(NodeCall{"rest/block", time.Since(began), nil})
		}
		block, err = checkedBlock(raw, hash, height)
	}
	if err != nil && ctx.Err() == nil {
		c.restAfter.Store(time.Now().Add(restPause).UnixNano())
	}
	return block, err == nil
}

// get requests a path below the node's URL. It returns an error for an answer that does not have the size of a block.
func (c *Client) get(ctx context.Context, path string) ([]byte, error) {
	address, err := url.JoinPath(c.config.URL, path)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK || response.ContentLength < 0 || response.ContentLength > MaxBlockBytes {
		return nil, fmt.Errorf("HTTP status %d, %d bytes", response.StatusCode, response.ContentLength)
	}
	raw := make([]byte, response.ContentLength)
	_, err = io.ReadFull(response.Body, raw)
	return raw, err
}
