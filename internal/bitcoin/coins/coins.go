// Package coins finds unspent outputs of a staker's payment address, which pay the fee of a withdrawal in one
// transaction, and checks them again before the transaction is signed. An Esplora server finds the outputs, because
// nodes have no index of addresses. Its answers are not trusted: the value, the script, the confirmations and the
// spenders in the mempool come from the node, and the runes on an output from the rune index.
package coins

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
)

const (
	// Most is the maximum number of outputs that Find returns.
	Most = 20
	// Least is the minimum value of an output that Find returns, in sats. Outputs below it are mostly the postage of
	// inscriptions, which nothing here detects, and add little to a fee.
	Least = 1000
	// Confirmations is the minimum number of confirmations, and Mature the minimum for an output of a coinbase
	// transaction.
	Confirmations = 3
	Mature        = 100

	maxExamined = 200 // outputs of an answer of Esplora that are looked up
	batch       = 25  // outputs that are looked up together
	ofOrders    = 4   // concurrent lookups of Find
	ofEstimates = 4   // concurrent lookups of FindFor

	timeout   = 20 * time.Second       // of a lookup and of Check
	indexWait = 5 * time.Second        // of a lookup, for the index to reach the node's tip
	indexPoll = 100 * time.Millisecond // between two reads of the index's tip
)

// Reason is the reason why an output can't pay.
type Reason string

// The reasons.
const (
	Gone    Reason = "gone"    // it is spent in a block, or it is not in a block
	Taken   Reason = "taken"   // a transaction in the mempool spends it, other than the given ones
	Changed Reason = "changed" // the node has a different value or script
	Young   Reason = "young"   // it has too few confirmations
	Runes   Reason = "runes"   // it holds runes
)

// Node is the part of chain.Client that a Finder uses.
type Node interface {
	UnspentOutput(ctx context.Context, out wire.OutPoint) (chain.UnspentOutput, error)
	Spenders(ctx context.Context, outs ...wire.OutPoint) (map[wire.OutPoint]chainhash.Hash, error)
}

// Index returns the tip of an index of every rune, and which of the outputs hold runes. Both must belong to the same
// state of the index.
type Index func(ctx context.Context, outs []wire.OutPoint) (tip chainhash.Hash, held map[wire.OutPoint]bool, err error)

// Finder finds and checks outputs. It is safe for concurrent use.
type Finder struct {
	esplora   *esplora
	node      Node
	index     Index
	orders    *pool // lookups of Find
	estimates *pool // lookups of FindFor

	timeout, indexWait time.Duration
}

// New returns a finder that asks the Esplora server at url. It makes no call. It returns an error for a URL that
// CheckURL refuses.
func New(url string, node Node, index Index) (*Finder, error) {
	base, err := CheckURL(url)
	if err != nil {
		return nil, err
	}
	f := &Finder{
		esplora: newEsplora(base), node: node, index: index, timeout: timeout, indexWait: indexWait,
	}
	f.orders, f.estimates = newPool(ofOrders, f.lookupTime), newPool(ofEstimates, f.lookupTime)
	return f, nil
}

func (f *Finder) lookupTime() time.Duration { return f.timeout }

// Find returns unspent outputs of the payment address in a signed order, with this script, the largest first: at most
// Most, of at least Least sats, with enough confirmations, without runes, and not spent in the mempool. The list can be
// empty. It returns vault.ErrCoinsUnavailable.
func (f *Finder) Find(ctx context.Context, address string, script []byte) ([]vault.Coin, error) {
	return f.orders.find(ctx, "", address, func(ctx context.Context) ([]vault.Coin, error) {
		return f.lookUp(ctx, "", address, script)
	})
}

// FindFor is Find for an address that a request from source names. A request can name any address and any owner, so a
// source has at most one lookup that waits or runs, and no lookup of FindFor occupies a slot of Find.
func (f *Finder) FindFor(ctx context.Context, source, address string, script []byte) ([]vault.Coin, error) {
	return f.estimates.find(ctx, source, address, func(ctx context.Context) ([]vault.Coin, error) {
		return f.lookUp(ctx, source, address, script)
	})
}

func (f *Finder) lookUp(ctx context.Context, source, address string, script []byte) (found []vault.Coin, err error) {
	candidates, err := f.esplora.outputs(ctx, source, address)
	if err != nil {
		return nil, unavailable(err)
	}
	for outs := range slices.Chunk(candidates, batch) {
		fit, err := f.fit(ctx, outs, script)
		if err != nil {
			return nil, unavailable(err)
		}
		if found = append(found, fit...); len(found) >= Most {
			break
		}
	}
	slices.SortStableFunc(found, func(a, b vault.Coin) int { return cmp.Compare(b.Output.Value, a.Output.Value) })
	return found[:min(Most, len(found))], nil
}

func unavailable(err error) error { return fmt.Errorf("%w: %w", vault.ErrCoinsUnavailable, err) }

// fit returns the outputs that have the script and can pay. It waits until the index is at the node's tip.
func (f *Finder) fit(ctx context.Context, outs []wire.OutPoint, script []byte) (found []vault.Coin, err error) {
	facts, err := f.ask(ctx, outs)
	for deadline := time.Now().Add(f.indexWait); errors.Is(err, errTips) && time.Now().Before(deadline); {
		select {
		case <-time.After(indexPoll):
			facts, err = f.ask(ctx, outs)
		case <-ctx.Done():
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	for _, out := range outs {
		output := facts.unspent[out].Output
		if facts.reason(out, nil) == "" && bytes.Equal(output.PkScript, script) && output.Value >= Least {
			found = append(found, vault.Coin{OutPoint: out, Output: output, Kind: vault.Own})
		}
	}
	return found, nil
}

// Check looks up outputs again, immediately before a transaction that spends them is signed. spenders are the
// transactions that may spend them in the mempool: earlier versions of the same transaction. It returns
// *vault.UnfitCoin for the first output that can't pay, and vault.ErrCoinsUnavailable. It does not wait for the index,
// because the caller may have to update it, and not for calls of Find, because any caller can make them.
func (f *Finder) Check(ctx context.Context, coins []vault.Coin, spenders []chainhash.Hash) error {
	outs := make([]wire.OutPoint, len(coins))
	for i, coin := range coins {
		outs[i] = coin.OutPoint
	}
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	facts, err := f.ask(ctx, outs)
	if err != nil {
		return unavailable(err)
	}
	for _, coin := range coins {
		reason, output := facts.reason(coin.OutPoint, spenders), facts.unspent[coin.OutPoint].Output
		same := output.Value == coin.Output.Value && bytes.Equal(output.PkScript, coin.Output.PkScript)
		if reason == "" && !same {
			reason = Changed
		}
		if reason != "" {
			return &vault.UnfitCoin{OutPoint: coin.OutPoint, Reason: string(reason)}
		}
	}
	return nil
}

// facts are the data of the node and the rune index about outputs, at one tip.
type facts struct {
	unspent  map[wire.OutPoint]chain.UnspentOutput
	spenders map[wire.OutPoint]chainhash.Hash
	held     map[wire.OutPoint]bool
}

// errTips is returned if the answers of the node and the index belong to different tips.
var errTips = errors.New("the rune index is not at the node's tip")

// ask looks up outputs. It returns errTips unless the index is at the tip of all of the node's answers, because an
// older index lacks the runes that a newer block moved. The mempool is asked before the chain, so that a transaction
// that is mined between the two calls is in one of the answers.
func (f *Finder) ask(ctx context.Context, outs []wire.OutPoint) (found facts, err error) {
	if found.spenders, err = f.node.Spenders(ctx, outs...); err != nil {
		return facts{}, err
	}
	found.unspent = map[wire.OutPoint]chain.UnspentOutput{}
	for _, out := range outs {
		output, err := f.node.UnspentOutput(ctx, out)
		if errors.Is(err, chain.ErrUnknown) {
			continue
		}
		if err != nil {
			return facts{}, err
		}
		found.unspent[out] = output
	}
	tip, held, err := f.index(ctx, outs)
	if err != nil {
		return facts{}, fmt.Errorf("rune index: %w", err)
	}
	for _, output := range found.unspent {
		if output.Best != tip {
			return facts{}, errTips
		}
	}
	found.held = held
	return found, nil
}

// reason returns why an output can't pay, or "".
func (f facts) reason(out wire.OutPoint, spenders []chainhash.Hash) Reason {
	output, unspent := f.unspent[out]
	least := int64(Confirmations)
	if output.Coinbase {
		least = Mature
	}
	spender, taken := f.spenders[out]
	switch {
	case !unspent:
		return Gone
	case taken && !slices.Contains(spenders, spender):
		return Taken
	case output.Confirmations < least:
		return Young
	case f.held[out]:
		return Runes
	}
	return ""
}
