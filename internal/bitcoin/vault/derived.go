package vault

import (
	"errors"
	"fmt"
	"sync"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"github.com/btcsuite/btcd/txscript/v2"
)

// maxDerived is the maximum number of cached key paths of an account, about 1 MB.
const maxDerived = 4096

// derivedKeys caches the keys and scripts that an account derived. The path of a payment address has five steps, each
// an elliptic curve multiplication, and building or checking a payout or refund needs the order's script for each
// payment. All copies of an account share the cache. It is safe for concurrent use.
type derivedKeys struct {
	mu       sync.Mutex
	branches map[uint32]*hdkeychain.ExtendedKey // children of the account key
	keys     map[string]derivedKey              // by KeyPath.String
}

type derivedKey struct {
	internal *btcec.PublicKey
	script   []byte // pkScript of the BIP-86 output; nil until requested
}

// at returns the key at path below the account key, with its script if withScript.
func (d *derivedKeys) at(account *hdkeychain.ExtendedKey, path KeyPath, withScript bool) (derivedKey, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	name := path.String()
	key := d.keys[name]
	if key.internal != nil && (key.script != nil || !withScript) {
		return key, nil
	}
	var err error
	if key.internal == nil {
		if key.internal, err = d.derive(account, path); err != nil {
			return key, err
		}
	}
	if withScript {
		if key.script, err = txscript.PayToTaprootScript(txscript.ComputeTaprootKeyNoScript(key.internal)); err != nil {
			return key, err
		}
	}
	if len(d.keys) >= maxDerived {
		clear(d.keys) // rarely happens; keys in use are derived again
	}
	d.keys[name] = key
	return key, nil
}

func (d *derivedKeys) derive(account *hdkeychain.ExtendedKey, path KeyPath) (*btcec.PublicKey, error) {
	if len(path) == 0 {
		return nil, errors.New("key path: empty")
	}
	key := account
	for i, step := range path {
		if step >= hdkeychain.HardenedKeyStart {
			return nil, fmt.Errorf("key path %s: hardened step", path)
		}
		next := d.branches[step]
		if i > 0 || next == nil {
			var err error
			if next, err = key.Derive(step); err != nil {
				return nil, fmt.Errorf("key path %s: %w", path, err)
			}
		}
		if i == 0 && step <= BranchOrders {
			d.branches[step] = next
		}
		key = next
	}
	return key.ECPubKey()
}
