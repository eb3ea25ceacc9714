package devnet

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
)

// maxAdvance is the maximum duration of one POST /dev/clock/advance.
const maxAdvance = 10 * 365 * 24 * time.Hour

func (c controls) info(context.Context, *http.Request) (any, error) {
	communities := c.product.Communities()
	if communities == nil {
		communities = []Community{}
	}
	return struct {
		Height      int64       `json:"height"`
		Epoch       int64       `json:"epoch"`
		Network     string      `json:"network"`
		Communities []Community `json:"communities"`
	}{c.Height(), c.product.Epoch(""), c.chain.Name, communities}, nil
}

// baseUnits is a rune amount that decodes from a decimal string or an integer.
type baseUnits amount.Runes

func (b *baseUnits) UnmarshalJSON(data []byte) error {
	text := string(data)
	if len(data) > 1 && data[0] == '"' {
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
	}
	units, err := amount.ParseRunes(text)
	*b = baseUnits(units)
	if err != nil {
		return errors.New("runes must be a whole number of base units")
	}
	return nil
}

func (c controls) faucet(ctx context.Context, r *http.Request) (any, error) {
	var in struct {
		Address string    `json:"address"`
		Sats    int64     `json:"sats"`
		Runes   baseUnits `json:"runes"`
		Prefix  string    `json:"prefix"`
	}
	if err := read(r, &in); err != nil {
		return nil, err
	}
	txid, vouts, err := c.Faucet(ctx, in.Address, amount.Sats(in.Sats), amount.Runes(in.Runes), in.Prefix)
	return struct {
		TxID  string   `json:"txid"`
		Vouts []uint32 `json:"vouts"`
	}{txid.String(), vouts}, err
}

type heightOut struct {
	Height int64 `json:"height"`
}

func (c controls) mine(ctx context.Context, r *http.Request) (any, error) {
	var in struct {
		Blocks  int64    `json:"blocks"`
		Without []string `json:"without"`
	}
	if err := read(r, &in); err != nil {
		return nil, err
	}
	without, err := parseTxIDs(in.Without)
	if err != nil {
		return nil, err
	}
	height, err := c.Mine(ctx, in.Blocks, without)
	if err != nil {
		return nil, err
	}
	return heightOut{height}, c.product.Settle(ctx)
}

func (c controls) reorg(ctx context.Context, r *http.Request) (any, error) {
	var in struct {
		Depth   int64    `json:"depth"`
		Without []string `json:"without"`
	}
	if err := read(r, &in); err != nil {
		return nil, err
	}
	without, err := parseTxIDs(in.Without)
	if err != nil {
		return nil, err
	}
	height, err := c.Reorg(ctx, in.Depth, without)
	if err != nil {
		return nil, err
	}
	return heightOut{height}, c.product.Settle(ctx)
}

func (c controls) advanceEpoch(ctx context.Context, r *http.Request) (any, error) {
	var in struct {
		Prefix string `json:"prefix"`
	}
	if err := readOptional(r, &in); err != nil {
		return nil, err
	}
	epoch, err := c.AdvanceEpoch(ctx, c.product, in.Prefix)
	if err != nil {
		return nil, err
	}
	return struct {
		Epoch int64 `json:"epoch"`
	}{epoch}, c.product.Settle(ctx)
}

func (c controls) advanceClock(ctx context.Context, r *http.Request) (any, error) {
	var in struct {
		Seconds int64 `json:"seconds"`
	}
	if err := read(r, &in); err != nil {
		return nil, err
	}
	if in.Seconds < 0 || in.Seconds > int64(maxAdvance/time.Second) {
		return nil, refuse("seconds must be between 0 and %d", int64(maxAdvance/time.Second))
	}
	now, err := c.product.AdvanceClock(ctx, time.Duration(in.Seconds)*time.Second)
	if err != nil {
		return nil, err
	}
	return struct {
		Now time.Time `json:"now"`
	}{now.UTC()}, c.product.Settle(ctx)
}

func (c controls) feeRate(_ context.Context, r *http.Request) (any, error) {
	var in struct {
		SatPerVB json.RawMessage `json:"sat_per_vb"`
	}
	if err := read(r, &in); err != nil {
		return nil, err
	}
	out := struct {
		SatPerVB *float64 `json:"sat_per_vb"`
	}{}
	if err := json.Unmarshal(in.SatPerVB, &out.SatPerVB); err != nil {
		return nil, refuse("sat_per_vb must be a number above 0, or null for the node's own")
	}
	if out.SatPerVB == nil {
		c.product.SetFeeRate(nil)
		return out, nil
	}
	rate, err := amount.FeeRateFromFloat(*out.SatPerVB)
	if err != nil || rate <= 0 {
		return nil, refuse("sat_per_vb must be a number above 0, or null for the node's own")
	}
	c.product.SetFeeRate(&rate)
	return out, nil
}

// utxo is one entry of GET /dev/utxos.
type utxo struct {
	TxID          string        `json:"txid"`
	Vout          uint32        `json:"vout"`
	Value         int64         `json:"value"`
	Runes         []utxoBalance `json:"runes"`
	Confirmations int64         `json:"confirmations"`
}

type utxoBalance struct {
	RuneID string `json:"rune_id"`
	Amount string `json:"amount"`
}

func (c controls) utxos(ctx context.Context, r *http.Request) (any, error) {
	address, err := parameter(r.URL.Query(), "address")
	if err != nil {
		return nil, err
	}
	script, err := c.parseAddress(address)
	if err != nil {
		return nil, err
	}
	if err := c.enter(ctx); err != nil {
		return nil, err
	}
	defer c.leave()
	pool, err := c.readMempool(ctx)
	if err != nil {
		return nil, err
	}
	out := []utxo{}
	for _, coin := range pool.coinsOf(script) {
		entry := utxo{TxID: coin.Hash.String(), Vout: coin.Index, Value: coin.Value, Runes: []utxoBalance{}}
		if coin.height != chain.None {
			entry.Confirmations = c.ix.height() - coin.height + 1
		}
		for _, b := range coin.runes {
			entry.Runes = append(entry.Runes, utxoBalance{RuneID: b.ID.String(), Amount: b.Amount.String()})
		}
		out = append(out, entry)
	}
	return out, nil
}

func (c controls) tx(ctx context.Context, r *http.Request) (any, error) {
	txid, err := txidParameter(r.URL.Query())
	if err != nil {
		return nil, err
	}
	if err := c.enter(ctx); err != nil {
		return nil, err
	}
	defer c.leave()
	out := struct {
		Hex           string `json:"hex"`
		Confirmations int64  `json:"confirmations"`
	}{}
	if tx, mined := c.ix.txs[txid]; mined {
		out.Hex, out.Confirmations = hex.EncodeToString(encodeTx(tx.msg)), c.ix.height()-tx.height+1
		return out, nil
	}
	pool, err := c.readMempool(ctx)
	if err != nil {
		return nil, err
	}
	tx, waits := pool.txs[txid]
	if !waits {
		return nil, unknown("transaction " + txid.String())
	}
	out.Hex = hex.EncodeToString(encodeTx(tx))
	return out, nil
}

func (c controls) block(ctx context.Context, r *http.Request) (any, error) {
	text, err := parameter(r.URL.Query(), "height")
	if err != nil {
		return nil, err
	}
	height, err := strconv.ParseInt(text, 10, 64)
	if err != nil || height < 0 {
		return nil, refuse("height must be a whole number")
	}
	if err := c.enter(ctx); err != nil {
		return nil, err
	}
	defer c.leave()
	if height > c.ix.height() {
		return nil, unknown("block " + text)
	}
	return struct {
		Hex string `json:"hex"`
	}{hex.EncodeToString(encodeBlock(c.ix.blocks[height]))}, nil
}

func (c controls) broadcast(ctx context.Context, r *http.Request) (any, error) {
	var in struct {
		Tx string `json:"tx"`
	}
	if err := read(r, &in); err != nil {
		return nil, err
	}
	raw, err := hex.DecodeString(in.Tx)
	if err != nil {
		return nil, refuse("tx is not a transaction in hex")
	}
	txid, err := c.Broadcast(ctx, raw)
	return struct {
		TxID string `json:"txid"`
	}{txid.String()}, err
}
