package testkit

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/server/wiring"
	"moonfund/internal/signer"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
)

// signerOf is a signer that calls World.Signer, so that a test can replace it after the services are wired.
type signerOf struct{ *World }

func (s signerOf) Sign(ctx context.Context, u payout.Unsigned) (*wire.MsgTx, error) {
	outsideWrites("a call to the signer")
	return s.Signer.Sign(ctx, u)
}

// ErrRefused is the error of Refusing.
var ErrRefused = errors.New("refused by the test")

// Refusing is a signer that returns ErrRefused for the requests that If selects, and passes the others to Next.
type Refusing struct {
	Next payout.Signer
	If   func(payout.Unsigned) bool
}

// Sign implements payout.Signer.
func (r Refusing) Sign(ctx context.Context, u payout.Unsigned) (*wire.MsgTx, error) {
	if r.If(u) {
		return nil, ErrRefused
	}
	return r.Next.Sign(ctx, u)
}

// HoldRefunds makes the signer refuse refunds until release is called, so that due refunds remain due. The server
// retries after some minutes, or immediately when an operator requests it.
func (w *World) HoldRefunds() (release func()) {
	next := w.Signer
	w.Signer = Refusing{Next: next, If: func(u payout.Unsigned) bool { return u.Refund != nil }}
	return func() { w.Signer = next }
}

// Secret returns the secret of the keys of a world. A world's scheme is signer.SchemeSeed, except in a world of
// NewStandard.
func Secret(scheme signer.Scheme) signer.Secret {
	content := sha256.Sum256([]byte("testkit"))
	return signer.Secret{Scheme: scheme, Bytes: content[:]}
}

// keysOf holds the keys of each scheme, which are derived once.
var keysOf = map[signer.Scheme]func() (*signer.Keys, error){
	signer.SchemeSeed:  sync.OnceValues(Secret(signer.SchemeSeed).Keys),
	signer.SchemeBIP39: sync.OnceValues(Secret(signer.SchemeBIP39).Keys),
}

func (w *World) keys() *signer.Keys {
	w.Helper()
	k, err := keysOf[cmp.Or(w.scheme, signer.SchemeSeed)]()
	Must(w, err)
	return k
}

func (w *World) accountKey() string {
	w.Helper()
	xpub, err := w.keys().AccountXpub(0, w.Network)
	Must(w, err)
	return xpub
}

// accountOf returns the account of a further community.
func (w *World) accountOf(n int) vault.Account {
	w.Helper()
	xpub, err := w.keys().AccountXpub(w.manifestOf(n).Account, w.Network)
	Must(w, err)
	account, err := vault.NewAccount(xpub, w.Network)
	Must(w, err)
	return account
}

// GiveSignerIndex gives the signer access to an index, so that several withdrawals can share a payout. Without an index
// the signer does not rely on reported rune balances.
func (w *World) GiveSignerIndex() {
	w.Helper()
	w.Signer = w.newSigner(w.generous(), w.balances)
}

// AllowWithdrawals gives the signer an index and the withdrawal addresses of its configuration.
func (w *World) AllowWithdrawals(to ...string) {
	w.Helper()
	w.withdrawTo = to
	w.GiveSignerIndex()
}

// SeparateSigner returns the product's signer with an index and a separate outflow record, for requests of a hostile
// server.
func (w *World) SeparateSigner(limits signer.Policy) payout.Signer {
	w.Helper()
	return w.newSigner(limits, w.balances)
}

func (w *World) balances(ctx context.Context, out wire.OutPoint) (balances []runes.Balance, err error) {
	err = w.Store.View(ctx, func(tx *store.Tx) (err error) {
		balances, err = runes.BalancesOf(tx.Runes(ctx), out)
		return err
	})
	return balances, err
}

// generous returns limits that a test reaches only intentionally.
func (w *World) generous() signer.Policy {
	return signer.Policy{RunesPerDay: cmp.Or(w.runesPerDay, 1<<60), SatsPerDay: 1 << 40, RefundSatsPerDay: 1 << 40,
		RefundSatsPerOwnerDay: 1 << 40}
}

// UseManualSigner replaces the signer with the signer of `signer sign`, which has no limits and signs withdrawals to
// any address.
func (w *World) UseManualSigner() {
	w.Helper()
	w.runesPerDay, w.anyAddress = 0, true
	w.Signer = w.newSigner(w.generous(), nil)
}

// newSigner returns the product's signer, running in this process.
func (w *World) newSigner(
	limits signer.Policy, balances func(context.Context, wire.OutPoint) ([]runes.Balance, error),
) payout.Signer {
	w.Helper()
	policy := chain.DefaultPolicy()
	limits.Community, limits.Rune, limits.ServiceFee = Name, Rune, w.manifest().ServiceFee
	policies, sign := map[uint32]signer.Policy{0: limits}, wiring.Signing{}
	sign.Accounts.Add(Prefix, 0)
	for n, prefix := range w.others {
		own := limits
		own.Community, own.Rune = prefix, cmp.Or(w.own[prefix].rune, Rune)
		policies[uint32(n)+1] = own
		sign.Accounts.Add(prefix, uint32(n)+1)
	}
	keeper, err := signer.New(w.keys(), signer.Config{
		Network:  w.Network,
		Policies: policies,
		MaxFee:   policy.MaxFee, MaxFeeRate: policy.MaxFeeRate,
		Outflows: signer.OutflowFile(filepath.Join(w.TempDir(), "outflow.json")), Now: w.instant,
		Balances: balances, Untracked: w.untrackedOf(),
		WithdrawTo: w.withdrawTo, AnyWithdrawal: w.anyAddress,
	})
	Must(w, err)
	sign.Signer = keeper
	return sign
}

// instant returns the time for the signer.
func (w *World) instant() (time.Time, error) {
	m, err := w.moment()
	return m.Now, err
}

// untrackedOf returns a function that reports whether an output may hold untracked runes, for a signer with a partial
// index. It returns nil for a full index.
func (w *World) untrackedOf() func(context.Context, wire.OutPoint) (bool, error) {
	if !w.partial {
		return nil
	}
	return func(ctx context.Context, out wire.OutPoint) (isUntracked bool, err error) {
		err = w.Store.View(ctx, func(tx *store.Tx) error {
			isUntracked, err = runes.Provenance{Rules: w.rules(), Entries: tx.Runes(ctx), Node: w.followed(),
				Limit: runes.ProvenanceLimit}.Untracked(ctx, out)
			return err
		})
		return isUntracked, err
	}
}
