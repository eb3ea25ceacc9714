package store

import (
	"context"
	"encoding/json"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/store/sqlc"
)

// stakeSearch names the setting that holds the StakeSearch of a ledger, as JSON; "" when none was ever due.
const stakeSearch = "stake_search"

// StakeSearch is a search of the chain for deposits of known stakers, at addresses that another copy of the ledger may
// have handed out. One is due after a restore, and when a ledger was found to be behind its key's mark.
type StakeSearch struct {
	Due     bool             `json:"due"`
	From    map[string]int64 `json:"from,omitempty"` // the last address index of each community when it became due
	At      int64            `json:"at,omitempty"`   // when the last one ended, unix seconds
	Tried   int              `json:"tried"`          // addresses
	LeftOut int              `json:"left_out"`       // addresses that were too many to be tried
	Adopted []string         `json:"adopted"`        // the addresses that were paid
}

// StakeSearch returns the search that is due, or how the last one ended; nil when there was none.
func (t *Tx) StakeSearch(ctx context.Context) (*StakeSearch, error) {
	text, err := t.Setting(ctx, stakeSearch)
	if err != nil || text == "" {
		return nil, err
	}
	s := new(StakeSearch)
	return s, json.Unmarshal([]byte(text), s)
}

// PutStakeSearch stores a search that is due, or how it ended.
func (t *Tx) PutStakeSearch(ctx context.Context, s StakeSearch) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return t.PutSetting(ctx, stakeSearch, string(text))
}

// UnsearchedAddresses returns the adopted stake addresses whose deposits in blocks that were followed before were not
// searched for yet.
func (t *Tx) UnsearchedAddresses(ctx context.Context) ([]string, error) {
	addresses, err := t.q.UnsearchedAddresses(ctx)
	return addresses, wrap(err)
}

// DepositsFound ends the search for deposits at adopted addresses, which was begun after the ledger's block of a
// height. The follower credits the outputs.
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

// AdoptedOutputs returns some of the outputs at adopted addresses that are not credited yet.
func (t *Tx) AdoptedOutputs(ctx context.Context, most int32) ([]wire.OutPoint, error) {
	rows, err := t.q.AdoptedOutputs(ctx, most)
	return mapAll(rows, err, func(row sqlc.AdoptedOutput) (wire.OutPoint, error) {
		hash, err := chainhash.NewHashFromStr(row.Txid)
		if err != nil {
			return wire.OutPoint{}, err
		}
		return wire.OutPoint{Hash: *hash, Index: uint32(row.Vout)}, nil
	})
}

// ForgetAdoptedOutput takes an output off that list.
func (t *Tx) ForgetAdoptedOutput(ctx context.Context, out wire.OutPoint) error {
	return wrap(t.q.DeleteAdoptedOutput(ctx, sqlc.DeleteAdoptedOutputParams{
		Txid: out.Hash.String(), Vout: int64(out.Index),
	}))
}
