package store

import (
	"context"
	"encoding/json"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/store/sqlc"
)

// stakeSearch is the name of the setting with the ledger's StakeSearch as JSON; "" if no search was ever due.
const stakeSearch = "stake_search"

// StakeSearch is a search of the chain for deposits of known stakers at addresses that another copy of the ledger may
// have issued. A search is due after a restore, and after a ledger was found to be behind its key's mark.
type StakeSearch struct {
	Due     bool             `json:"due"`
	From    map[string]int64 `json:"from,omitempty"` // Mark.Counts when the search became due; nil after a restore
	At      int64            `json:"at,omitempty"`   // end of the last search, Unix seconds
	Tried   int              `json:"tried"`          // number of searched addresses
	LeftOut int              `json:"left_out"`       // number of addresses above the limit, which were not searched
	Adopted []string         `json:"adopted"`        // the addresses with deposits
}

// StakeSearch returns the search that is due, or the result of the last one; nil if there was none.
func (t *Tx) StakeSearch(ctx context.Context) (*StakeSearch, error) {
	text, err := t.Setting(ctx, stakeSearch)
	if err != nil || text == "" {
		return nil, err
	}
	s := new(StakeSearch)
	return s, json.Unmarshal([]byte(text), s)
}

// PutStakeSearch stores a search that is due, or its result.
func (t *Tx) PutStakeSearch(ctx context.Context, s StakeSearch) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return t.PutSetting(ctx, stakeSearch, string(text))
}

// UnsearchedAddresses returns the adopted stake addresses whose deposits in already followed blocks have not been
// searched.
func (t *Tx) UnsearchedAddresses(ctx context.Context) ([]string, error) {
	addresses, err := t.q.UnsearchedAddresses(ctx)
	return addresses, wrap(err)
}

// DepositsFound records the result of a search for deposits at adopted addresses. height is the height of the ledger's
// last block when the search began. The follower credits the outputs.
func (t *Tx) DepositsFound(ctx context.Context, addresses []string, height int64, outputs []wire.OutPoint) error {
	for _, out := range outputs {
		if err := t.q.InsertAdoptedOutput(ctx, sqlc.InsertAdoptedOutputParams{
			Txid: out.Hash.String(), Vout: int64(out.Index),
		}); err != nil {
			return wrap(err)
		}
	}
	for _, address := range addresses {
		if err := t.q.AddressSearched(ctx, sqlc.AddressSearchedParams{Address: address, Height: height}); err != nil {
			return wrap(err)
		}
	}
	return nil
}

// AdoptedOutputs returns at most limit outputs at adopted addresses that are not credited yet.
func (t *Tx) AdoptedOutputs(ctx context.Context, limit int32) ([]wire.OutPoint, error) {
	rows, err := t.q.AdoptedOutputs(ctx, limit)
	return mapAll(rows, err, func(row sqlc.AdoptedOutput) (wire.OutPoint, error) {
		hash, err := chainhash.NewHashFromStr(row.Txid)
		if err != nil {
			return wire.OutPoint{}, err
		}
		return wire.OutPoint{Hash: *hash, Index: uint32(row.Vout)}, nil
	})
}

// ForgetAdoptedOutput deletes an output from the list of AdoptedOutputs.
func (t *Tx) ForgetAdoptedOutput(ctx context.Context, out wire.OutPoint) error {
	return wrap(t.q.DeleteAdoptedOutput(ctx, sqlc.DeleteAdoptedOutputParams{
		Txid: out.Hash.String(), Vout: int64(out.Index),
	}))
}
