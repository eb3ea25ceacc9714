package devnet

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/btcsuite/btcd/wire/v2"
)

// batchBytes limits a batch of saved blocks, in bytes of hex.
const batchBytes = 4 << 20

// submitCall is one JSON-RPC call of a batch.
type submitCall struct {
	Version string    `json:"jsonrpc"`
	ID      int       `json:"id"`
	Method  string    `json:"method"`
	Params  [1]string `json:"params"`
}

// submitReply is null if the node accepted the block, otherwise the reason.
type submitReply struct {
	Result any `json:"result"`
	Error  any `json:"error"`
}

// replay submits the saved blocks in order. btcd opens a connection per call, so the calls are sent in batches, which
// it processes in sequence.
func (n *node) replay(ctx context.Context, blocks []*wire.MsgBlock, login credentials) error {
	first := 1
	var batch []submitCall
	size := 0
	for i, block := range blocks {
		call := submitCall{Version: "2.0", ID: i, Method: "submitblock",
			Params: [1]string{hex.EncodeToString(encodeBlock(block))}}
		batch = append(batch, call)
		if size += len(call.Params[0]); size < batchBytes && i < len(blocks)-1 {
			continue
		}
		replies, err := n.submitBatch(ctx, batch, login)
		if err != nil {
			return fmt.Errorf("replay the saved chain from block %d on: %w", first, err)
		}
		for k, reply := range replies {
			if reply.Result != nil || reply.Error != nil {
				return fmt.Errorf("the Bitcoin node refused block %d of the saved chain: %v %v", first+k, reply.Result, reply.Error)
			}
		}
		first, batch, size = first+len(batch), nil, 0
	}
	return nil
}

func (n *node) submitBatch(ctx context.Context, batch []submitCall, login credentials) ([]submitReply, error) {
	body, err := json.Marshal(batch)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+n.addr, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.SetBasicAuth(login.user, login.password)
	request.Close = true
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var replies []submitReply
	if err := json.NewDecoder(response.Body).Decode(&replies); err != nil {
		return nil, err
	}
	if len(replies) != len(batch) {
		return nil, fmt.Errorf("%d answers to %d blocks", len(replies), len(batch))
	}
	return replies, nil
}
