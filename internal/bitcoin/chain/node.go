package chain

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/btcsuite/btcd/btcjson"
	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/amount"
)

// Status is the location of a transaction: BlockHash is nil if it is in the mempool, otherwise the hash of its block in
// the best chain. Confirmations counts that block and is at least 1.
type Status struct {
	BlockHash     *chainhash.Hash
	Confirmations int64
}

// Refusal is the error for a transaction or block that violates consensus rules or the node's policy. Sending the same
// bytes again can succeed only after the chain or the mempool changed. Code is the node's error code, or 0 if there is
// none. Reason is the node's text, for the log.
type Refusal struct {
	Code   int
	Reason string
}

// Error implements error.
func (r *Refusal) Error() string { return "the node refuses it: " + r.Reason }

// GenesisHash returns the hash of block 0, which identifies the network of the node.
func (c *Client) GenesisHash(ctx context.Context) (chainhash.Hash, error) { return c.BlockHash(ctx, 0) }

// Best returns the hash and height of the tip of the best chain. It makes one call if the tip is unchanged.
func (c *Client) Best(ctx context.Context) (chainhash.Hash, int64, error) {
	var hash chainhash.Hash
	if err := c.callHash(ctx, &hash, "getbestblockhash"); err != nil {
		return chainhash.Hash{}, 0, err
	}
	c.mu.Lock()
	best, height := c.best, c.height
	c.mu.Unlock()
	if hash == best {
		return hash, height, nil
	}
	var header btcjson.GetBlockHeaderVerboseResult
	if err := c.call(ctx, &header, "getblockheader", hash.String(), true); err != nil {
		return chainhash.Hash{}, 0, err // also if a reorg happened between the two calls
	}
	c.mu.Lock()
	c.best, c.height = hash, int64(header.Height)
	c.mu.Unlock()
	return hash, int64(header.Height), nil
}

// BlockHash returns the hash of the block at a height of the best chain. It returns ErrUnknown for a height below 0 or
// above the tip.
func (c *Client) BlockHash(ctx context.Context, height int64) (chainhash.Hash, error) {
	var hash chainhash.Hash
	if height < 0 || height > maxHeight {
		return hash, ErrUnknown
	}
	err := c.callHash(ctx, &hash, "getblockhash", height)
	if heightOutOfRange(err) {
		return hash, ErrUnknown
	}
	return hash, err
}

// RawBlock returns a serialized block of the best chain or a side chain. It returns ErrUnknown if the node does not
// have the block, and another error if the node has pruned it.
func (c *Client) RawBlock(ctx context.Context, hash chainhash.Hash) ([]byte, error) {
	var raw hexBytes
	// The verbosity must be an integer: btcd rejects a boolean.
	err := c.call(ctx, &raw, "getblock", hash.String(), 0)
	if prunedAway(err) {
		return nil, fmt.Errorf("the node is pruned and has thrown block %s away; it must keep every block: %w", hash, err)
	}
	if unknownHash(err) {
		return nil, ErrUnknown
	}
	if headerOnly(err) {
		return nil, fmt.Errorf("the node has no more than the header of block %s: %w", hash, ErrUnknown)
	}
	if err != nil {
		return nil, err
	}
	return raw, nil
}

// Block returns the decoded block with this hash; the caller supplies its height. It returns ErrUnknown if the node
// does not have the block, and another error if the response does not match the hash.
func (c *Client) Block(ctx context.Context, hash chainhash.Hash, height int64) (Block, error) {
	if block, served := c.restBlock(ctx, hash, height); served {
		return block, nil
	}
	raw, err := c.RawBlock(ctx, hash)
	if err != nil {
		return Block{}, err
	}
	return checkedBlock(raw, hash, height)
}

// checkedBlock decodes a block. It returns an error if this is not the whole block with the hash.
func checkedBlock(raw []byte, hash chainhash.Hash, height int64) (Block, error) {
	block, header, err := decodeBlock(raw, height)
	if err != nil {
		return Block{}, err
	}
	if block.Hash != hash || header.MerkleRoot != block.merkleRoot() || block.repeatsLast() {
		return Block{}, fmt.Errorf("node: getblock: the answer is not block %s", hash)
	}
	return block, nil
}

// Mempool returns the ids of all transactions in the node's mempool, in no particular order.
func (c *Client) Mempool(ctx context.Context) ([]chainhash.Hash, error) {
	var list idList
	if err := c.call(ctx, &list, "getrawmempool"); err != nil {
		return nil, err
	}
	return list.ids, nil
}

// SequencePublisher returns the ZeroMQ address at which the node publishes the changes of its mempool and chain
// (-zmqpubsequence), or "" if it does not. In an address for all interfaces the host is replaced with the host of the
// RPC URL.
func (c *Client) SequencePublisher(ctx context.Context) (string, error) {
	var publishers []struct {
		Type    string `json:"type"`
		Address string `json:"address"`
	}
	err := c.call(ctx, &publishers, "getzmqnotifications")
	if rpcCode(err) == codeNoSuchMethod { // btcd, or Core without ZeroMQ
		return "", nil
	}
	if err != nil {
		return "", err
	}
	for _, publisher := range publishers {
		if publisher.Type == "pubsequence" {
			return c.reachable(publisher.Address), nil
		}
	}
	return "", nil
}

// reachable replaces the host of a ZeroMQ address with the host of the RPC URL if the address is for all interfaces.
func (c *Client) reachable(address string) string {
	host, port, err := net.SplitHostPort(strings.TrimPrefix(address, "tcp://"))
	if err != nil {
		return address
	}
	if ip := net.ParseIP(host); host == "*" || ip != nil && ip.IsUnspecified() {
		if node, err := url.Parse(c.config.URL); err == nil {
			return "tcp://" + net.JoinHostPort(node.Hostname(), port)
		}
	}
	return address
}

// Tx returns a transaction of the mempool or the best chain, or ErrUnknown. The node must have a transaction index
// (-txindex). On Core the index is updated slightly later than the chain.
func (c *Client) Tx(ctx context.Context, txid chainhash.Hash) (Tx, Status, error) {
	var answer struct {
		Hex           string `json:"hex"`
		BlockHash     string `json:"blockhash"`
		Confirmations int64  `json:"confirmations"`
	}
	err := c.call(ctx, &answer, "getrawtransaction", txid.String(), 1)
	if unknownHash(err) {
		return Tx{}, Status{}, ErrUnknown
	}
	if err != nil {
		return Tx{}, Status{}, err
	}
	raw, err := hex.DecodeString(answer.Hex)
	if err != nil {
		return Tx{}, Status{}, fmt.Errorf("node: getrawtransaction: %w", err)
	}
	tx, err := DecodeTx(raw)
	if err != nil {
		return Tx{}, Status{}, err
	}
	if tx.ID != txid {
		return Tx{}, Status{}, fmt.Errorf("node: getrawtransaction: the answer is not transaction %s", txid)
	}
	if answer.BlockHash == "" {
		return tx, Status{}, nil
	}
	if inStaleBlock(answer.Confirmations) {
		return Tx{}, Status{}, ErrUnknown
	}
	block, err := chainhash.NewHashFromStr(answer.BlockHash)
	if err != nil {
		return Tx{}, Status{}, fmt.Errorf("node: getrawtransaction: %w", err)
	}
	return tx, Status{BlockHash: block, Confirmations: answer.Confirmations}, nil
}

// Pruned reports whether the node deletes old blocks. Such a node has no transaction index and lacks the blocks of the
// first runes.
func (c *Client) Pruned(ctx context.Context) (bool, error) {
	var info struct {
		Pruned bool `json:"pruned"`
	}
	err := c.call(ctx, &info, "getblockchaininfo")
	return info.Pruned, err
}

// HasTxIndex reports whether the node finds a transaction of block 1 by its id. It returns true if there is no such
// block. Without the index, Tx and Broadcast would treat confirmed transactions as unknown.
func (c *Client) HasTxIndex(ctx context.Context) (bool, error) {
	hash, err := c.BlockHash(ctx, 1)
	if errors.Is(err, ErrUnknown) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	block, err := c.Block(ctx, hash, 1)
	if err != nil {
		return false, err
	}
	_, _, err = c.Tx(ctx, block.Txs[0].ID)
	if errors.Is(err, ErrUnknown) {
		return false, nil
	}
	return err == nil, err
}

// Broadcast sends a transaction to the network. It returns nil if the transaction is in the mempool or the best chain
// afterwards, even if it was there before, and a *Refusal if the node rejects it. After any other error the node may
// have accepted the transaction, and the caller should send the same bytes again.
func (c *Client) Broadcast(ctx context.Context, raw []byte) error {
	tx, err := DecodeTx(raw)
	if err != nil {
		return &Refusal{Reason: err.Error()}
	}
	err = c.call(ctx, nil, "sendrawtransaction", hex.EncodeToString(raw))
	refusal := rejection(err)
	if refusal == nil {
		return err
	}
	// The codes for "already known" differ between nodes and versions, so look up the transaction.
	known, err := c.knows(ctx, tx)
	if err != nil {
		return err
	}
	if known {
		return nil
	}
	return refusal
}

// knows reports whether the node has the transaction in its mempool or in a block or, if the transaction index lags
// behind, has one of its outputs unspent.
func (c *Client) knows(ctx context.Context, tx Tx) (bool, error) {
	_, _, err := c.Tx(ctx, tx.ID)
	if err == nil {
		return true, nil
	}
	if !errors.Is(err, ErrUnknown) {
		return false, err
	}
	for i, out := range tx.Msg.TxOut {
		if Dust(out.PkScript) == 0 { // OP_RETURN outputs are never in the set
			continue
		}
		var unspent *btcjson.GetTxOutResult
		if err := c.call(ctx, &unspent, "gettxout", tx.ID.String(), i, true); err != nil {
			return false, err
		}
		if unspent != nil {
			return true, nil
		}
	}
	return false, nil
}

// FeeRate returns the node's estimate of the fee rate for confirmation within the number of blocks, in sat per 1,000
// vB, without limits (see FeePolicy.Clamp). It returns ErrNoEstimate if the node has too little data.
func (c *Client) FeeRate(ctx context.Context, targetBlocks int) (amount.FeeRate, error) {
	perKB, err := c.estimate(ctx, targetBlocks)
	if err != nil {
		return 0, err
	}
	if perKB <= 0 {
		return 0, ErrNoEstimate
	}
	rate, err := amount.FeeRateFromFloat(perKB * 1e8 / 1000)
	if err != nil {
		return 0, fmt.Errorf("node: a fee estimate of %g BTC per 1000 vB: %w", perKB, err)
	}
	return rate, nil
}

// SubmitBlock submits a block to the node. It returns nil if the node accepts the block or had it before, and a
// *Refusal if the node rejects it.
func (c *Client) SubmitBlock(ctx context.Context, raw []byte) error {
	block, header, err := decodeBlock(raw, 0)
	if err != nil {
		return &Refusal{Reason: err.Error()}
	}
	if header.MerkleRoot != block.merkleRoot() { // otherwise the hash could belong to a valid block
		return &Refusal{Reason: "the transactions do not match the merkle root of the header"}
	}
	var reason *string
	err = c.call(ctx, &reason, "submitblock", hex.EncodeToString(raw))
	if refusal := rejection(err); refusal != nil {
		return refusal
	}
	if err != nil || reason == nil || acceptedBlock(*reason) {
		return err
	}
	var known btcjson.GetBlockHeaderVerboseResult
	err = c.call(ctx, &known, "getblockheader", block.Hash.String(), true)
	if err == nil && known.Confirmations > 0 {
		return nil
	}
	if err != nil && !isRPCError(err) {
		return err
	}
	return &Refusal{Reason: *reason}
}

// callHash calls a method that returns a hash.
func (c *Client) callHash(ctx context.Context, hash *chainhash.Hash, method string, params ...any) error {
	var text string
	if err := c.call(ctx, &text, method, params...); err != nil {
		return err
	}
	if err := chainhash.Decode(hash, text); err != nil || len(text) != 2*chainhash.HashSize {
		return fmt.Errorf("node: %s: the answer is not a hash", method)
	}
	return nil
}
