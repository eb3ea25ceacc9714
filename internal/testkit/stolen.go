package testkit

import (
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"github.com/btcsuite/btcd/chaincfg/v2"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signer"
	"moonfund/internal/staking/ledger"
)

// Stolen is a unit's deposit with the community's private key of its address, as a thief of the seed has it.
type Stolen struct {
	Unit  ledger.Unit
	Stake vault.StakeOutput
	Key   *btcec.PrivateKey
}

// Steal returns a unit's deposit with the community's private key.
func (w *World) Steal(unitID string) Stolen {
	w.Helper()
	units, stakes := w.stakeOutputs([]string{unitID})
	key, err := hdkeychain.NewMaster(Secret(signer.SchemeSeed).Bytes, &chaincfg.MainNetParams)
	Must(w, err)
	const hardened = hdkeychain.HardenedKeyStart
	steps := []uint32{hardened + 86, hardened + w.Network.Params.HDCoinType, hardened}
	for _, step := range append(steps, stakes[0].Path[:]...) {
		key, err = key.Derive(step)
		Must(w, err)
	}
	private, err := key.ECPrivKey()
	Must(w, err)
	return Stolen{Unit: units[0], Stake: stakes[0], Key: private}
}
