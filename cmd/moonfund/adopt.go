package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moonfund/action"
	"moonfund/chain"
	"moonfund/community"
	"moonfund/console"
	"moonfund/ledger"
	"moonfund/operator"
	"moonfund/recovery"
	"moonfund/runes"
	"moonfund/store"
	"moonfund/vault"
)

type ledgerCommands struct {
	Adopt adoptCommand `cmd:"" help:"Take in stake addresses that another ledger with the same key handed out."`
}

type adoptCommand struct {
	changing
	Kit         string `help:"From the recovery kit that a staker saved." type:"existingfile" xor:"source"`
	From        string `help:"From another ledger: its data folder, its file, or postgres://…; it is only read." xor:"source"`
	Search      bool   `help:"Search the chain for deposits of the stakers that this ledger knows." xor:"source"`
	Gap         uint32 `default:"100" help:"With --search: how many address indexes after the last known one are tried."`
	Network     string `default:"mainnet" env:"MOONFUND_NETWORK" help:"mainnet, testnet, testnet4, signet or regtest."`
	Communities string `required:"" env:"MOONFUND_COMMUNITIES" help:"Folder with one manifest (.toml) per community." type:"path"`
	Key         string `env:"MOONFUND_KEY" help:"The key file, from which the addresses are derived." type:"path"`
	Signer      string `env:"MOONFUND_SIGNER" help:"The socket of 'moonfund signer run', instead of a key file." type:"path"`
	nodeFlags   `prefix:"node-"`
}

// adopted is a stake address that is to be taken in.
type adopted struct {
	action.StakeRecord
	script []byte
}

type adoptView struct {
	Found   int      `json:"addresses_found"`
	Adopted []string `json:"adopted"`
}

// mostGap bounds a search: each index is tried for each staker and each delay.
const mostGap = 10_000

// Run is `moonfund ledger adopt`.
func (c adoptCommand) Run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Kit == "" && c.From == "" && !c.Search {
		return errors.New("one of --kit FILE, --from LEDGER and --search is needed")
	}
	if c.Gap < 1 || c.Gap > mostGap {
		return fmt.Errorf("--gap is %d; it must be from 1 to %d", c.Gap, mostGap)
	}
	network, err := chain.NetworkByName(c.Network)
	if err != nil {
		return err
	}
	manifests, err := community.LoadDir(c.Communities, network.Name)
	if err != nil {
		return err
	}
	db, err := c.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	signing, err := serveCommand{Key: c.Key, Signer: c.Signer, Data: c.Data}.signing(ctx, network, manifests)
	if err != nil {
		return err
	}
	a := adoption{network: network, manifests: manifests, accounts: map[string]vault.Account{}}
	for _, m := range manifests {
		xpub, err := signing.xpub(m.Account)
		if err != nil {
			return err
		}
		if a.accounts[m.Prefix], err = vault.NewAccount(xpub, network); err != nil {
			return err
		}
	}
	found, err := c.find(ctx, db, a)
	if err != nil {
		return err
	}
	return c.adopt(ctx, db, found)
}

// adoption is what addresses are derived from.
type adoption struct {
	network   chain.Network
	manifests []community.Manifest
	accounts  map[string]vault.Account
}

func (c adoptCommand) find(ctx context.Context, db *store.Store, a adoption) ([]adopted, error) {
	switch {
	case c.Kit != "":
		return a.fromKit(ctx, db, c.Kit)
	case c.From != "":
		return a.fromLedger(ctx, c.From)
	}
	return c.search(ctx, db, a)
}

// fromKit finds the index of each address of a kit: the community's key at that index is in the kit.
func (a adoption) fromKit(ctx context.Context, db *store.Store, path string) (all []adopted, err error) {
	kit, err := recovery.ReadKit(path)
	if err != nil {
		return nil, err
	}
	if kit.Network != a.network.Name {
		return nil, fmt.Errorf("the kit is of %s, the ledger is on %s", kit.Network, a.network.Name)
	}
	last, err := lastPositions(ctx, db, a)
	if err != nil {
		return nil, err
	}
	outputs, err := recovery.OpenAll(kit, a.network)
	if err != nil {
		return nil, err
	}
	for _, o := range outputs {
		record, err := a.place(o.Stake, o.To.Text, last)
		if err != nil {
			return nil, fmt.Errorf("the kit's output %s: %w", o.Point, err)
		}
		all = append(all, record)
	}
	return all, nil
}

// place finds the community and the index whose key a stake output has.
func (a adoption) place(stake vault.StakeOutput, owner string, last map[string]int64) (adopted, error) {
	for prefix, account := range a.accounts {
		for position := int64(0); position <= last[prefix]+mostGap; position++ {
			output, err := account.StakeOutput(uint32(position), stake.Leaf, stake.Delay)
			if err != nil {
				return adopted{}, err
			}
			if output.Address == stake.Address {
				return adopted{action.StakeRecord{
					Address: output.Address, Community: prefix, Position: position, LeafKey: hex.EncodeToString(stake.Leaf), Delay: stake.Delay,
					Wallet: action.Wallet{Ordinals: owner}, Created: time.Now().UTC(),
				}, output.Script}, nil
			}
		}
	}
	return adopted{}, fmt.Errorf("%s is not derived from this key, up to the index %d after the last known one", stake.Address, mostGap)
}

// lastPositions are the last address indexes that a ledger knows of.
func lastPositions(ctx context.Context, db *store.Store, a adoption) (last map[string]int64, err error) {
	last = map[string]int64{}
	err = db.View(ctx, func(tx *store.Tx) error {
		standing, err := tx.Standing(ctx)
		if err != nil {
			return err
		}
		behind, _, err := tx.Behind(ctx)
		for prefix := range a.accounts {
			last[prefix] = max(standing.Counts["stake:"+prefix], behind.Counts["stake:"+prefix])
		}
		return err
	})
	return last, err
}

// fromLedger reads the addresses of another ledger, which must be derived from the same key.
func (a adoption) fromLedger(ctx context.Context, from string) (all []adopted, err error) {
	records, err := store.ReadStakes(ctx, ledgerAt(from))
	if err != nil {
		return nil, fmt.Errorf("the other ledger %s can't be read: %w", from, err)
	}
	for _, r := range records {
		account, ok := a.accounts[r.Community]
		if !ok {
			return nil, fmt.Errorf("the other ledger has the community %s, of which there is no manifest", r.Community)
		}
		leaf, err := hex.DecodeString(r.LeafKey)
		if err != nil {
			return nil, err
		}
		output, err := account.StakeOutput(uint32(r.Position), leaf, r.Delay)
		if err != nil {
			return nil, err
		}
		if output.Address != r.Address {
			return nil, fmt.Errorf("the other ledger has another key: %s is not derived from this one", r.Address)
		}
		all = append(all, adopted{r, output.Script})
	}
	return all, nil
}

// ledgerAt is the address of a ledger that is named by its folder, its file, or its address.
func ledgerAt(name string) string {
	if strings.HasPrefix(name, "sqlite:") || strings.Contains(name, "://") {
		return name
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, "ledger.db")
	}
	return "sqlite:" + name
}

// search looks for deposits at the addresses that another ledger may have handed out to known stakers.
func (c adoptCommand) search(ctx context.Context, db *store.Store, a adoption) (all []adopted, err error) {
	candidates, from, err := a.candidates(ctx, db, int64(c.Gap))
	if err != nil || len(candidates) == 0 {
		return nil, err
	}
	node := c.client()
	if err := sameNetwork(ctx, node, a.network); err != nil {
		return nil, err
	}
	var scripts [][]byte
	for _, candidate := range candidates {
		scripts = append(scripts, candidate.script)
	}
	paid, err := searchChain(ctx, node, scripts, from, false)
	if err != nil {
		return nil, err
	}
	for _, p := range paid {
		if candidate, open := candidates[string(p.Script)]; open {
			all = append(all, candidate)
			delete(candidates, string(p.Script))
		}
	}
	return all, nil
}

// candidates are, by script, the addresses of known stakers that the ledger does not know, up to gap indexes after
// the last one, with the manifest's delay and every delay that was used. from is the first block that can pay them.
func (a adoption) candidates(ctx context.Context, db *store.Store, gap int64) (all map[string]adopted, from int64, err error) {
	last, err := lastPositions(ctx, db, a)
	if err != nil {
		return nil, 0, err
	}
	all, from = map[string]adopted{}, ledger.None
	for _, m := range a.manifests {
		id, err := runes.ParseID(m.Rune.ID)
		if err != nil {
			return nil, 0, fmt.Errorf("community %s: rune.id: %w", m.Prefix, err)
		}
		if at := int64(id.Block); from == ledger.None || at < from {
			from = at
		}
		if err := a.derive(ctx, db, m, last[m.Prefix]+gap, all); err != nil {
			return nil, 0, err
		}
	}
	return all, from, nil
}

// derive adds the candidates of one community.
func (a adoption) derive(ctx context.Context, db *store.Store, m community.Manifest, last int64, into map[string]adopted) error {
	var stakers []action.StakeRecord
	delays, here := []uint32{m.RecoveryDelay}, map[string]bool{}
	if err := db.View(ctx, func(tx *store.Tx) (err error) {
		if stakers, err = tx.Stakers(ctx, m.Prefix); err != nil {
			return err
		}
		known, err := tx.HandedOut(ctx, m.Prefix)
		for _, s := range known {
			here[s.Address] = true
			if !slices.Contains(delays, s.Keys.Delay) {
				delays = append(delays, s.Keys.Delay)
			}
		}
		return err
	}); err != nil {
		return err
	}
	for _, staker := range stakers {
		leaf, err := hex.DecodeString(staker.LeafKey)
		if err != nil {
			return err
		}
		for position := range last + 1 {
			for _, delay := range delays {
				output, err := a.accounts[m.Prefix].StakeOutput(uint32(position), leaf, delay)
				if err != nil {
					return err
				}
				if here[output.Address] {
					continue
				}
				record := staker
				record.Address, record.Position, record.Delay, record.Created = output.Address, position, delay, time.Now().UTC()
				into[string(output.Script)] = adopted{record, output.Script}
			}
		}
	}
	return nil
}

// adopt shows the addresses that are new, and takes them in.
func (c adoptCommand) adopt(ctx context.Context, db *store.Store, found []adopted) error {
	var fresh []adopted
	if err := db.View(ctx, func(tx *store.Tx) error {
		for _, f := range found {
			if _, err := tx.StakeKeys(ctx, f.Address); errors.Is(err, ledger.ErrNotFound) {
				fresh = append(fresh, f)
			} else if err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	view := adoptView{Found: len(found), Adopted: []string{}}
	if len(fresh) > 0 {
		var err error
		if view.Adopted, err = c.takeIn(ctx, db, fresh); err != nil {
			return err
		}
	}
	if c.JSON {
		return console.JSON(view)
	}
	fmt.Printf("Found %d addresses, adopted %d.\n", view.Found, len(view.Adopted))
	if len(view.Adopted) > 0 {
		fmt.Println("New deposits there are credited by themselves. For those in blocks that were followed already: stop the server and run\n" +
			"`moonfund rebuild --from-chain`.")
	}
	return nil
}

// takeIn asks for a yes, and writes the addresses in one transaction.
func (c adoptCommand) takeIn(ctx context.Context, db *store.Store, fresh []adopted) (all []string, err error) {
	var preview strings.Builder
	fmt.Fprintf(&preview, "%d stake addresses that this ledger does not know will be watched, and what is there belongs to their stakers:\n", len(fresh))
	for _, f := range fresh {
		fmt.Fprintf(&preview, "  %s  %s, index %d, of %s\n", f.Address, f.Community, f.Position, f.Wallet.Ordinals)
	}
	if err := c.agree(preview.String()); err != nil {
		return nil, err
	}
	err = db.Update(ctx, func(tx *store.Tx) error {
		all = []string{} // it may run again
		at, err := operator.Now(ctx, tx)
		if err != nil {
			return err
		}
		for _, f := range fresh {
			added, err := tx.AdoptStake(ctx, f.StakeRecord, f.script)
			if err != nil {
				return err
			}
			if added {
				all = append(all, f.Address)
			}
		}
		_, err = tx.Log(ctx, c.author().Line(at, "ledger adopt", fmt.Sprintf("%d addresses", len(all)), preview.String()))
		return err
	})
	return all, err
}
