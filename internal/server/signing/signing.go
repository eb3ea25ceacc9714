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

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/statement"
	"moonfund/internal/signer"
	"moonfund/internal/staking/community"
)

// Source is the source of a server's signatures and public keys: keys in this process, or a signer process. Own and
// Remote create it.
type Source struct {
	Accounts signer.Accounts
	Keys     *signer.Keys   // nil: the keys are in the signer process
	Process  *signer.Client // nil: the signer is in this process
	KeyFile  string         // path of the key file of Keys; "": there is none
}

// Own returns a source that signs in this process.
func Own(keys *signer.Keys, keyFile string, network chain.Network, manifests []community.Manifest) (Source, error) {
	accounts := signer.Accounts{
		Fingerprint: keys.Fingerprint(), Network: network.Name, Xpubs: map[uint32]string{},
		StatementKeys: map[uint32]statement.Key{},
	}
	all := []uint32{vault.OrdersAccount}
	for _, m := range manifests {
		all = append(all, m.Account)
		key, err := keys.StatementKey(m.Account, network)
		if err != nil {
			return Source{}, err
		}
		accounts.StatementKeys[m.Account] = key
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

// Remote returns a source that calls the signer process on a socket. Its public keys are cached in the data folder, so
// that the server can start and serve requests while the signer is down; payouts wait meanwhile.
func Remote(ctx context.Context, socket, data string, network chain.Network) (Source, error) {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return Source{}, fmt.Errorf("the data folder can't be created: %w", err)
	}
	client := signer.Dial(socket)
	accounts, err := knownAccounts(ctx, client, filepath.Join(data, "accounts.json"))
	if err != nil {
		return Source{}, err
	}
	if accounts.Network != network.Name {
		return Source{}, fmt.Errorf("the signer on %s signs for %s, but this server is on %s", socket, accounts.Network,
			network.Name)
	}
	return Source{Accounts: accounts, Process: client}, nil
}

// knownAccounts requests the signer's public keys and caches them in a file. If the signer does not respond, it reads
// that file. It returns an error if the keys differ from the cached ones, because a server must not issue another key's
// addresses.
func knownAccounts(ctx context.Context, client *signer.Client, path string) (signer.Accounts, error) {
	var kept signer.Accounts
	data, err := os.ReadFile(path)
	first := errors.Is(err, fs.ErrNotExist)
	if err == nil {
		err = json.Unmarshal(data, &kept)
	}
	if err != nil && !first {
		return kept, fmt.Errorf("the cached public keys can't be read: %w", err)
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
	return asked, signer.ReplaceFile(path, append(data, '\n'))
}

// Xpub returns the extended public key of an account, or an error if the source does not sign for it.
func (s Source) Xpub(account uint32) (string, error) {
	xpub, ok := s.Accounts.Xpubs[account]
	if !ok {
		return "", fmt.Errorf("the signer does not sign for account %d: start it with the same manifests as the server",
			account)
	}
	return xpub, nil
}

// Account returns the account from which addresses are derived, by its number.
func (s Source) Account(account uint32, network chain.Network) (vault.Account, error) {
	xpub, err := s.Xpub(account)
	if err != nil {
		return vault.Account{}, err
	}
	return vault.NewAccount(xpub, network)
}

// Marks returns the store of the high-water mark of the source's ledger: beside the key file, or in the signer process.
func (s Source) Marks(network chain.Network) signer.Marks {
	if s.Process != nil {
		return s.Process
	}
	return &signer.MarkFile{Path: s.KeyFile + ".mark", Network: network.Name}
}

// NewSigner returns a signer with the limits of the manifests in addition to the config. It stores its outflows in the
// config's Outflows or, if that is nil, in the data folder.
func NewSigner(
	keys *signer.Keys, network chain.Network, manifests []community.Manifest, data string, c signer.Config,
) (*signer.Signer, error) {
	var err error
	if c.Policies, err = policies(manifests); err != nil {
		return nil, err
	}
	policy := chain.DefaultPolicy()
	c.Network, c.MaxFee, c.MaxFeeRate = network, policy.MaxFee, policy.MaxFeeRate
	if c.Outflows == nil {
		c.Outflows = signer.OutflowFile(filepath.Join(data, OutflowFile))
	}
	return signer.New(keys, c)
}

// policies returns the limits of the manifests by account.
func policies(manifests []community.Manifest) (map[uint32]signer.Policy, error) {
	all := map[uint32]signer.Policy{}
	for _, m := range manifests {
		id, err := m.RuneID()
		if err != nil {
			return nil, err
		}
		all[m.Account] = signer.Policy{
			Community: m.Name, Prefix: m.Prefix, Rune: id, RunesPerDay: m.Limits.DailyOutflow,
			SatsPerDay: m.Limits.DailySats, ColdAbove: m.Limits.ColdAbove, ServiceFee: m.ServiceFee,
			RefundSatsPerDay: m.Refunds.PerDay, RefundSatsPerOwnerDay: m.Refunds.PerOwnerDay,
		}
	}
	return all, nil
}
