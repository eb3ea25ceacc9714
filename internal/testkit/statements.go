package testkit

import (
	"log/slog"
	"path/filepath"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/server/publisher"
	"moonfund/internal/signed/statement"
	"moonfund/internal/signer"
	"moonfund/internal/store"
)

// StatementSigner returns the product's signer with the heads of a folder. Two signers with one folder are one signer
// before and after a restart.
func (w *World) StatementSigner(folder string) *signer.Signer {
	w.Helper()
	policy := w.generous()
	policy.Community, policy.Prefix, policy.Rune = Name, Prefix, Rune
	s, err := signer.New(w.keys(), signer.Config{
		Network: w.Network, Policies: map[uint32]signer.Policy{0: policy}, MaxFee: chain.DefaultPolicy().MaxFee,
		MaxFeeRate: chain.DefaultPolicy().MaxFeeRate, Now: w.instant,
		Outflows: signer.OutflowFile(filepath.Join(folder, "outflow.json")),
		Heads:    &signer.HeadFile{Path: filepath.Join(folder, "statements.json")},
	})
	Must(w, err)
	return s
}

// Publisher returns the publisher of the world's statements, with an archive in a folder.
func (w *World) Publisher(sign publisher.Signer, archive string) *publisher.Publisher {
	w.Helper()
	key, err := w.keys().StatementKey(0, w.Network)
	Must(w, err)
	return &publisher.Publisher{
		Communities: []publisher.Community{{Prefix: Prefix, Key: key}}, Store: w.Store, Signer: sign,
		Archive: statement.Archive(archive), Leads: func() bool { return true }, Log: slog.New(slog.DiscardHandler),
	}
}

// Receipts returns the signer of the world's receipts, as a new process. Receipts begin with the next posting.
func (w *World) Receipts(sign publisher.Certifier) *publisher.Receipts {
	w.Helper()
	r := &publisher.Receipts{
		Communities: w.Publisher(nil, "").Communities, Store: w.Store, Certifier: sign, Update: w.transact,
		Leads: func() bool { return true }, Now: w.instant, Log: slog.New(slog.DiscardHandler),
	}
	w.Update(func(tx *store.Tx) error { return tx.BeginReceipts(w.Context(), Prefix) })
	return r
}

// ReceiptsOf issues the due receipts and returns the receipts of an owner, newest first.
func (w *World) ReceiptsOf(r *publisher.Receipts, owner string) (all []statement.SignedReceipt) {
	w.Helper()
	Must(w, r.Issue(w.Context()))
	w.Update(func(tx *store.Tx) (err error) {
		all, err = tx.ReceiptsOf(w.Context(), Prefix, owner, store.ReceiptFilter{}, 1000)
		return err
	})
	return all
}
