package signer

import (
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
)

// Sweep signs a transaction that moves a treasury, for a command of the operator; a running signer never calls it. It
// returns a *Refusal for every input that is not the treasury's: a stake requires its staker's message, and a payment
// returns to its payer. The caller verifies the outputs.
func Sweep(keys *Keys, n chain.Network, account uint32, tx *wire.MsgTx, inputs []vault.Coin) (*wire.MsgTx, error) {
	request := Request{Account: account, Tx: tx, Inputs: inputs}
	if len(tx.TxIn) != len(inputs) {
		return nil, refuse(BadRequest, "%d inputs, %d of them described", len(tx.TxIn), len(inputs))
	}
	own, err := keys.accountKeys(account, n)
	if err != nil {
		return nil, err
	}
	for i, coin := range inputs {
		if coin.Kind != vault.TreasuryRunes && coin.Kind != vault.TreasurySats {
			return nil, refuse(NotOurs, "%s is a %s output: only the treasury is swept", coin.OutPoint, coin.Kind)
		}
		if tx.TxIn[i].PreviousOutPoint != coin.OutPoint {
			return nil, refuse(BadRequest, "input %d is not the one described", i)
		}
		if _, err := own.addresses.CheckCoin(coin); err != nil {
			return nil, refuse(NotOurs, "%v", err)
		}
	}
	signed := &check{request: request, key: own.private, account: own.addresses, inputs: inputs}
	return signed.sign()
}
