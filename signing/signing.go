// Package signing runs the signer: inside the server, or as a separate process that the server calls over a socket.
package signing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/community"
	"moonfund/runes"
	"moonfund/signer"
	"moonfund/vault"
)

// Source is where a server's signatures and public keys come from: keys in this process, or a signer process.
type Source struct {
	Accounts signer.Accounts
	Keys     *signer.Keys   // nil: the signer process has them
	Process  *signer.Client // nil: the signer is in this process
	KeyFile  string         // path of the file of Keys; "": they are in none
}

// Own returns a source that signs in this process.
func Own(keys *signer.Keys, keyFile string, network chain.Network, manifests []community.Manifest) (Source, error) {
	accounts := signer.Accounts{Fingerprint: keys.Fingerprint(), Network: network.Name, Xpubs: map[uint32]string{}}
	all := []uint32{vault.OrdersAccount}
	for _, m := range manifests {
		all = append(all, m.Account)
	}
	for _, account := range all {
		xpub, err := keys.AccountXpub(account, network)
		if err != nil {
			return Source{}, err
		}
		accounts.Xpubs[account] = xpub
	}
	return Source{Accounts: accounts, Keys: keys, KeyFile: keyFile}, nil
}

// Remote returns a source that asks the signer process on a socket. Its public keys are kept in the data folder, so
// that the server can start and answer while the signer is down; payouts wait then.
func Remote(ctx context.Context, socket, data string, network chain.Network) (Source, error) {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return Source{}, fmt.Errorf("the data folder can't be made: %w", err)
	}
	client := signer.Dial(socket)
	accounts, err := knownAccounts(ctx, client, filepath.Join(data, "accounts.json"))
	if err != nil {
		return Source{}, err
	}
	if accounts.Network != network.Name {
		return Source{}, fmt.Errorf("the signer on %s signs for %s, this server is on %s", socket, accounts.Network,
			network.Name)
	}
	return Source{Accounts: accounts, Process: client}, nil
}

// knownAccounts asks the signer for its public keys and keeps them in a file; when the signer does not answer it reads
// that file. Keys that differ from the kept ones are an error: a server must not hand out another key's addresses.
func knownAccounts(ctx context.Context, client *signer.Client, path string) (signer.Accounts, error) {
	var kept signer.Accounts
	data, err := os.ReadFile(path)
	first := errors.Is(err, fs.ErrNotExist)
	if err == nil {
		err = json.Unmarshal(data, &kept)
	}
	if err != nil && !first {
		return kept, fmt.Errorf("the kept public keys can't be read: %w", err)
	}
	asked, err := client.Accounts(ctx)
	switch {
	case err != nil && first:
		return asked, fmt.Errorf("%w. Start it first: moonfund signer run", err)
	case err != nil:
		return kept, nil
	}
	for account, xpub := range kept.Xpubs {
		if asked.Xpubs[account] != xpub {
			return kept, fmt.Errorf("the signer's key of account %d is not the one in %s: it was started with another key file",
				account, path)
		}
	}
	if data, err = json.MarshalIndent(asked, "", "  "); err != nil {
		return kept, err
	}
	return asked, os.WriteFile(path, append(data, '\n'), 0o600)
}

// Xpub returns the public key of an account.
func (s Source) Xpub(account uint32) (string, error) {
	xpub, ok := s.Accounts.Xpubs[account]
	if !ok {
		return "", fmt.Errorf("the signer does not sign for account %d: start it with the same manifests as the server",
			account)
	}
	return xpub, nil
}

// Account returns the addresses of an account.
func (s Source) Account(account uint32, network chain.Network) (vault.Account, error) {
	xpub, err := s.Xpub(account)
	if err != nil {
		return vault.Account{}, err
	}
	return vault.NewAccount(xpub, network)
}

// Marks returns where the high-water mark of the source's ledger is kept: beside the key file, or with the signer
// process.
func (s Source) Marks(network chain.Network) signer.Marks {
	if s.Process != nil {
		return s.Process
	}
	return &signer.MarkFile{Path: s.KeyFile + ".mark", Network: network.Name}
}

// dailySats bounds what fees and deliveries' dust may cost a community in 24 hours.
const dailySats amount.Sats = 100_000_000

// NewSigner returns a signer with the limits of the manifests, on top of the config. It keeps its outflows in the
// config's Outflows, or in the data folder when that is nil.
func NewSigner(
	keys *signer.Keys, network chain.Network, manifests []community.Manifest, data string, c signer.Config,
) (*signer.Signer, error) {
	c.Policies = map[uint32]signer.Policy{}
	for _, m := range manifests {
		id, err := runes.ParseID(m.Rune.ID)
		if err != nil {
			return nil, fmt.Errorf("community %s: rune_id: %w", m.Prefix, err)
		}
		c.Policies[m.Account] = signer.Policy{
			Community: m.Name, Rune: id, RunesPerDay: m.Limits.DailyOutflow, SatsPerDay: dailySats,
			ColdAbove: m.Limits.ColdAbove, RefundSatsPerDay: m.Refunds.PerDay, RefundSatsPerOwnerDay: m.Refunds.PerOwnerDay,
		}
	}
	policy := chain.DefaultPolicy()
	c.Network, c.MaxFee, c.MaxFeeRate = network, policy.MaxFee, policy.MaxFeeRate
	if c.Outflows == nil {
		c.Outflows = signer.OutflowFile(filepath.Join(data, OutflowFile))
	}
	return signer.New(keys, c)
}
