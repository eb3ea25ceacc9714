package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/operate/setup"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/nodecheck"
	"moonfund/internal/server/runeindex"
	"moonfund/internal/staking/community"
)

type manifestCommands struct {
	Example manifestExample `cmd:"" help:"Print a commented example manifest."`
	Check   manifestCheck   `cmd:"" help:"Check the manifests as the server does, and list each error."`
}

type manifestExample struct{}

// Run is `moonfund manifest example`.
func (manifestExample) Run() error {
	text, err := community.Examples.ReadFile("manifests/lobo.toml")
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	return err
}

type manifestCheck struct {
	reading
	Communities string `arg:"" optional:"" env:"MOONFUND_COMMUNITIES" default:"communities" help:"Manifests." type:"path"`
	Network     string `default:"mainnet" env:"MOONFUND_NETWORK" help:"mainnet, testnet, testnet4, signet or regtest."`
	nodeFlags   `prefix:"node-"`
}

// Results of the search for a manifest's rune. A rune with another name or too large a supply is an error of the
// manifest.
const (
	runeFound     = "found"
	runeNotEtched = "not etched yet"
	runeNotAsked  = "not looked up"
)

// manifestView is a parsed manifest. Amounts of the rune are base units.
type manifestView struct {
	Prefix       string       `json:"prefix"`
	Host         string       `json:"host"`
	Name         string       `json:"name"`
	Account      uint32       `json:"account"`
	Rune         string       `json:"rune_id"`
	OnChain      string       `json:"rune_on_chain"` // one of the rune… constants
	Genesis      time.Time    `json:"genesis"`
	EpochLength  string       `json:"epoch_length"`
	Budget       amount.Runes `json:"first_budget,string"`
	MinimumStake amount.Runes `json:"minimum_stake,string"`
	ServiceFee   amount.Sats  `json:"service_fee_sats"`
	Recovery     uint32       `json:"recovery_delay_blocks"`
	Outflow      amount.Runes `json:"daily_outflow,string"`
	DailySats    amount.Sats  `json:"daily_sats"`
	TopUp        amount.Sats  `json:"fee_top_up_sats"`
	Refunds      amount.Sats  `json:"refunds_per_day_sats"`
	OwnerRefunds amount.Sats  `json:"refunds_per_owner_day_sats"`
}

func viewManifest(m community.Manifest, onChain string) manifestView {
	return manifestView{
		Prefix: m.Prefix, Host: m.Host, Name: m.Name, Account: m.Account, Rune: m.Rune.ID, OnChain: onChain,
		Genesis: m.Genesis.UTC().Truncate(time.Second), EpochLength: m.EpochLength.String(), Budget: m.Budget(0),
		MinimumStake: m.MinimumStake, ServiceFee: m.ServiceFee, Recovery: m.RecoveryDelay,
		Outflow: m.Limits.DailyOutflow, DailySats: m.Limits.DailySats, TopUp: m.Limits.FeeTopUp,
		Refunds: m.Refunds.PerDay, OwnerRefunds: m.Refunds.PerOwnerDay,
	}
}

const manifestTitles = "PREFIX,NAME,ACCOUNT,RUNE,ON THE CHAIN,GENESIS (UTC),EPOCH,FIRST BUDGET,MINIMUM STAKE," +
	"SERVICE FEE,RECOVERY,OUTFLOW A DAY,SATS A DAY,REFUNDS A DAY,PER OWNER"

func manifestRow(v manifestView) []string {
	return []string{
		v.Prefix, v.Name, terminal.Number(v.Account), terminal.OrDash(v.Rune), v.OnChain, terminal.Time(v.Genesis),
		v.EpochLength, v.Budget.Whole(), v.MinimumStake.Whole(), terminal.Number(v.ServiceFee),
		terminal.Number(v.Recovery), v.Outflow.Whole(), terminal.Number(v.DailySats),
		terminal.Number(v.Refunds), terminal.Number(v.OwnerRefunds),
	}
}

// Run is `moonfund manifest check`.
func (c manifestCheck) Run(ctx context.Context) error {
	network, err := chain.NetworkByName(c.Network)
	if err != nil {
		return err
	}
	manifests, err := community.LoadDir(c.Communities, network.Name)
	if err != nil {
		return err
	}
	if err := setup.CheckAppearance(c.Communities, network, manifests); err != nil {
		return err
	}
	onChain, unasked, err := lookUp(ctx, c.client(), network, manifests)
	if err != nil {
		return err
	}
	if c.onDisk() {
		if err := setup.CompareLedger(ctx, c.address(), manifests); err != nil {
			return err
		}
	}
	var views []manifestView
	for i, m := range manifests {
		views = append(views, viewManifest(m, onChain[i]))
	}
	if err := terminal.List(c.JSON, views, manifestTitles, manifestRow); err != nil || c.JSON {
		return err
	}
	fmt.Printf("%s is valid for %s. Amounts are in whole runes, the fee and the limits of sats and refunds in sats, "+
		"the recovery delay in blocks.\n", c.Communities, network.Name)
	if !c.onDisk() {
		fmt.Printf("No ledger was compared: there is none in %s.\n", c.Data)
	}
	if unasked != nil {
		fmt.Printf("Whether the runes exist was not checked, because %s. Give the node with --node-url.\n", unasked)
	}
	return nil
}

// lookUp finds each manifest's rune on the chain. If no node of the network is available, it returns the reason.
func lookUp(
	ctx context.Context, node *chain.Client, network chain.Network, manifests []community.Manifest,
) (onChain []string, unasked, err error) {
	onChain = make([]string, len(manifests))
	if unasked = nodecheck.SameNetwork(ctx, node, network); unasked != nil {
		for i := range onChain {
			onChain[i] = runeNotAsked
		}
		return onChain, unasked, nil
	}
	_, best, err := node.Best(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i, m := range manifests {
		id, err := m.RuneID()
		if err != nil {
			return nil, nil, err
		}
		if onChain[i] = runeFound; id.Block > uint64(best) {
			onChain[i] = runeNotEtched
		}
	}
	quiet := slog.New(slog.DiscardHandler) // the table shows missing runes
	return onChain, nil, runeindex.CheckManifests(ctx, node, runes.RulesFor(network), manifests, quiet)
}
