package devnet

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// EsploraPath is the path, below the controls, of an Esplora API with only the calls that find the outputs of an
// address.
const EsploraPath = "/dev/esplora"

// esploraRoutes adds the calls of an Esplora server. Their errors are plain text, unlike the errors of the controls.
func (c controls) esploraRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET "+EsploraPath+"/address/{address}/utxo", c.esploraCall(c.esploraOutputs))
	mux.HandleFunc("GET "+EsploraPath+"/address/{address}", c.esploraCall(c.esploraAddress))
	mux.HandleFunc("GET "+EsploraPath+"/blocks/tip/height", c.esploraCall(c.esploraHeight))
	mux.HandleFunc("GET "+EsploraPath+"/blocks/tip/hash", c.esploraCall(c.esploraHash))
}

// esploraCall handles a call with the network's lock held. A result that is a string is sent as text, others as JSON.
func (c controls) esploraCall(handle func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := c.enter(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		result, err := handle(r)
		c.leave()
		var refused *Refused
		text, isText := result.(string)
		switch {
		case errors.As(err, &refused):
			http.Error(w, refused.Reason, http.StatusBadRequest)
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
		case isText:
			w.Header().Set("Content-Type", "text/plain")
			_, _ = fmt.Fprint(w, text) // fails only if the caller has disconnected
		default:
			write(w, http.StatusOK, result)
		}
	}
}

// esploraOutput is an entry of GET /address/{address}/utxo.
type esploraOutput struct {
	TxID   string        `json:"txid"`
	Vout   uint32        `json:"vout"`
	Status esploraStatus `json:"status"`
	Value  int64         `json:"value"`
}

// esploraStatus is the block of a transaction. The fields of an unconfirmed transaction are omitted.
type esploraStatus struct {
	Confirmed   bool   `json:"confirmed"`
	BlockHeight int64  `json:"block_height,omitempty"`
	BlockHash   string `json:"block_hash,omitempty"`
	BlockTime   int64  `json:"block_time,omitempty"`
}

func (c controls) esploraOutputs(r *http.Request) (any, error) {
	pool, script, err := c.esploraScript(r.Context(), r.PathValue("address"))
	if err != nil {
		return nil, err
	}
	list := []esploraOutput{}
	for _, coin := range pool.coinsOf(script) {
		entry := esploraOutput{TxID: coin.Hash.String(), Vout: coin.Index, Value: coin.Value}
		if coin.height != chain.None {
			block := c.ix.blocks[coin.height]
			entry.Status = esploraStatus{true, coin.height, block.BlockHash().String(), block.Header.Timestamp.Unix()}
		}
		list = append(list, entry)
	}
	return list, nil
}

// esploraScript returns the mempool and the script of an address.
func (c controls) esploraScript(ctx context.Context, address string) (*mempool, []byte, error) {
	script, err := c.parseAddress(address)
	if err != nil {
		return nil, nil, err
	}
	pool, err := c.readMempool(ctx)
	return pool, script, err
}

// esploraStats are the outputs of an address that transactions of the chain or the mempool create and spend. The sums
// are in sats.
type esploraStats struct {
	TxCount        int64 `json:"tx_count"`
	FundedTxoCount int64 `json:"funded_txo_count"`
	FundedTxoSum   int64 `json:"funded_txo_sum"`
	SpentTxoCount  int64 `json:"spent_txo_count"`
	SpentTxoSum    int64 `json:"spent_txo_sum"`
}

func (c controls) esploraAddress(r *http.Request) (any, error) {
	address := r.PathValue("address")
	pool, script, err := c.esploraScript(r.Context(), address)
	if err != nil {
		return nil, err
	}
	result := struct {
		Address      string       `json:"address"`
		ChainStats   esploraStats `json:"chain_stats"`
		MempoolStats esploraStats `json:"mempool_stats"`
	}{Address: address}
	output := func(at wire.OutPoint) *wire.TxOut {
		if tx, mined := c.ix.txs[at.Hash]; mined {
			return tx.msg.TxOut[at.Index]
		}
		if tx, waits := pool.txs[at.Hash]; waits {
			return tx.TxOut[at.Index]
		}
		return nil
	}
	for _, tx := range c.ix.txs {
		result.ChainStats.add(tx.msg, script, output)
	}
	for _, tx := range pool.txs {
		result.MempoolStats.add(tx, script, output)
	}
	return result, nil
}

// add counts the outputs of a transaction that pay to the script, and its inputs that spend such outputs. output
// returns the output that an input spends, or nil for the input of a coinbase.
func (s *esploraStats) add(tx *wire.MsgTx, script []byte, output func(wire.OutPoint) *wire.TxOut) {
	before := *s
	for _, out := range tx.TxOut {
		if string(out.PkScript) == string(script) {
			s.FundedTxoCount, s.FundedTxoSum = s.FundedTxoCount+1, s.FundedTxoSum+out.Value
		}
	}
	for _, in := range tx.TxIn {
		if out := output(in.PreviousOutPoint); out != nil && string(out.PkScript) == string(script) {
			s.SpentTxoCount, s.SpentTxoSum = s.SpentTxoCount+1, s.SpentTxoSum+out.Value
		}
	}
	if *s != before {
		s.TxCount++
	}
}

func (c controls) esploraHeight(*http.Request) (any, error) {
	return strconv.FormatInt(c.ix.height(), 10), nil
}

func (c controls) esploraHash(*http.Request) (any, error) { return c.ix.tipHash().String(), nil }
