package signer

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
)

// access determines what an attacker who controls the server controls besides.
type access int

const (
	ownNode   access = iota // the signer is a process with an index of its own, from a node of its own
	noIndex                 // the signer has no index
	lyingNode               // the signer has an index, from a node that the attacker controls
)

const coinLOBO = 100_000_000 // base units

// The values that the attacker could take in the world of these tests.
const (
	treasuryRunes = 500_000 * coinLOBO
	orderedSats   = 100_000_000 // payments of customers for open mint and etch orders
)

// compromise is a server that an attacker controls. It has the server's memory and database, but not the key.
type compromise struct {
	*world
	client      *Client
	thief, anna wallet
	operator    string // the address to which the signer may withdraw
	declared    map[wire.OutPoint][]runes.Balance
	customers   map[string]bool // scripts of customers whose payments are refunded
}

// newCompromise starts a signer with the limits of the example manifest of mainnet.
func newCompromise(t testing.TB, a access) *compromise {
	t.Helper()
	w := newWorld(t)
	c := &compromise{world: w, declared: map[wire.OutPoint][]runes.Balance{}, customers: map[string]bool{},
		anna: newWallet(t, 1, chain.P2TR, w.network), thief: newWallet(t, 9, chain.P2TR, w.network),
		operator: newWallet(t, 2, chain.P2TR, w.network).payment.Text}
	usual := chain.DefaultPolicy()
	w.config.MaxFee, w.config.MaxFeeRate, w.config.Outflows = usual.MaxFee, usual.MaxFeeRate, &list{}
	w.config.WithdrawTo = []string{c.operator}
	changePolicy(&w.config, func(p *Policy) {
		p.RunesPerDay, p.SatsPerDay = amount.Runes(limitOf(t, "daily_outflow")), amount.Sats(limitOf(t, "daily_sats"))
		p.RefundSatsPerDay = amount.Sats(limitOf(t, "per_day"))
		p.RefundSatsPerOwnerDay = amount.Sats(limitOf(t, "per_owner_day"))
	})
	switch a {
	case noIndex:
		w.config.Balances = nil
	case lyingNode:
		w.balancesOf(c.declared)
	}
	w.minting(false)
	c.client = w.overSocket()
	return c
}

// fewer divides the limits of some measurements, for fewer signatures.
const fewer = 10

// divideLimits restarts the signer with smaller limits.
func (c *compromise) divideLimits(by int64) {
	c.Helper()
	changePolicy(&c.config, func(p *Policy) {
		p.RunesPerDay /= amount.Runes(by)
		p.SatsPerDay /= amount.Sats(by)
		p.RefundSatsPerDay /= amount.Sats(by)
		p.RefundSatsPerOwnerDay /= amount.Sats(by)
	})
	c.client = c.overSocket()
}

// limitOf returns a limit of the example manifest.
func limitOf(t testing.TB, key string) int64 {
	t.Helper()
	text, err := os.ReadFile("../staking/community/manifests/lobo.toml")
	must(t, err)
	found := regexp.MustCompile(`(?m)^` + key + ` = "?(\d+)`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("the manifest has no %s", key)
	}
	n, err := strconv.ParseInt(string(found[1]), 10, 64)
	must(t, err)
	return n
}

// loss is what signed transactions take from the treasury, from stakers and from customers.
type loss struct {
	runes amount.Runes
	sats  amount.Sats
}

// sign sends a request to the signer's socket and measures the loss if it is signed.
func (c *compromise) sign(r Request) (loss, error) {
	c.Helper()
	for _, coin := range r.Inputs {
		c.declared[coin.OutPoint] = coin.Runes
	}
	tx, err := c.client.Sign(c.Context(), r)
	if err != nil {
		return loss{}, err
	}
	return c.measure(r, tx), nil
}

// measure allocates the runes that the outputs really hold. Payments of orders that the attacker delivers count as the
// attacker's own.
func (c *compromise) measure(r Request, tx *wire.MsgTx) (l loss) {
	c.Helper()
	rightful := c.rightful(r)
	outputs, burned, _, err := vault.AllocateBy(runes.RulesFor(c.network))(tx, func(o wire.OutPoint) []runes.Balance {
		return c.balances[o]
	})
	must(c, err)
	taken := sumOf(c, burned)
	var sats int64
	for i, out := range tx.TxOut {
		if rightful[string(out.PkScript)] {
			sats -= out.Value
		} else if i < len(outputs) {
			taken += sumOf(c, outputs[i])
		}
	}
	for _, coin := range r.Inputs {
		if coin.Kind == vault.Stake && string(coin.Leaf) == string(c.thief.leaf) {
			taken -= sumOf(c, c.balances[coin.OutPoint])
		}
		if coin.Kind != vault.Payment || r.Refund != nil {
			sats += coin.Output.Value
		}
	}
	return loss{max(0, taken), amount.Sats(max(0, sats))}
}

// rightful returns the scripts that do not belong to the attacker.
func (c *compromise) rightful(r Request) map[string]bool {
	runeChange, satsChange := c.changeScripts()
	operator, err := chain.ParseAddress(c.operator, c.network)
	must(c, err)
	all := map[string]bool{string(runeChange): true, string(satsChange): true, string(operator.Script): true,
		string(c.anna.ordinals.Script): true, string(c.anna.payment.Script): true}
	maps.Copy(all, c.customers)
	if r.RuneOrder != nil {
		refund, err := chain.ParseAddress(r.RuneOrder.Refund, c.network)
		must(c, err)
		all[string(refund.Script)] = true
	}
	return all
}

func (c *compromise) changeScripts() (runeChange, satsChange []byte) {
	runesAddress, _ := c.account.TreasuryRunes()
	satsAddress, _ := c.account.TreasurySats()
	return runesAddress.Script, satsAddress.Script
}

func sumOf(t testing.TB, balances []runes.Balance) (n amount.Runes) {
	t.Helper()
	for _, b := range balances {
		if b.ID == lobo {
			n += amount.Runes(b.Amount.Lo)
		}
	}
	return n
}

// attempt is a row of the table in docs/trust.md.
type attempt struct {
	what  string
	bound string // bound of the loss with a signer process
	// tries are single requests. rules are the only reasons for which the signer may refuse them.
	tries func(*compromise) map[string]Request
	rules []Reason
	// repeated requests are sent until a limit refuses them, with decreasing sizes from first on, so that they use up
	// the limit.
	repeated []func(c *compromise, size int64) Request
	first    int64
	// anyIndex means that the signer's index makes no difference, so the attempt is measured once. It uses a tenth of
	// the limits, because the race detector makes signatures slow.
	anyIndex bool
	// self means that the attempt is about a stake in self-custody, which the key alone can't move.
	self bool
}

// outcome is the result of an attempt: the loss in a day.
type outcome struct {
	loss
	signed  int
	refusal map[Reason]int
}

func (o *outcome) add(l loss, err error) error {
	var refusal *Refusal
	switch {
	case err == nil:
		o.signed++
		o.runes += l.runes
		o.sats += l.sats
	case errors.As(err, &refusal):
		o.refusal[refusal.Reason]++
	default:
		return err
	}
	return nil
}

// run makes the attempt for a day and returns the outcome.
func (a attempt) run(t testing.TB, to access) (o outcome) {
	t.Helper()
	c := newCompromise(t, to)
	o.refusal = map[Reason]int{}
	scale := amount.Sats(1)
	if a.anyIndex {
		scale = fewer
		c.divideLimits(fewer)
	}
	defer func() { o.sats *= scale }()
	if a.tries != nil {
		for name, r := range a.tries(c) {
			l, err := c.sign(r)
			must(t, o.add(loss{runes: l.runes}, err)) // fees have a row of their own
			if err != nil && !slices.ContainsFunc(a.rules, func(rule Reason) bool { return refusedFor(err, rule) }) {
				t.Errorf("%s: %s: %v, want a refusal for %q", a.what, name, err, a.rules)
			}
		}
		return o
	}
	for _, request := range a.repeated {
		for size := a.first; size > 0; {
			if o.runes >= treasuryRunes*99/100 || o.sats >= orderedSats/scale { // nothing more is there
				return o
			}
			l, err := c.sign(request(c, size))
			must(t, o.add(l, err))
			switch {
			case refusedFor(err, OverLimit) && size > a.first/1000:
				size /= 2
			case err != nil:
				size = 0
			}
		}
	}
	return o
}

// cell formats an outcome for the table.
func (o outcome) cell() string {
	switch {
	case o.signed == 0:
		return "refused"
	case o.runes > 0:
		return thousands(int64(o.runes/coinLOBO)) + " LOBO"
	case o.sats >= 100_000:
		return fmt.Sprintf("%.1f M sats", float64(o.sats)/1e6)
	}
	return "no loss"
}

func thousands(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// table returns the table of docs/trust.md, measured.
func table(t *testing.T) string {
	t.Helper()
	everything, nothing := keyInTheServer(t), keyMovesSelf(t)
	var text strings.Builder
	text.WriteString("| attempt | `--signer` | no index | its node lies | the key is stolen | bound |\n" +
		"|---|---|---|---|---|---|\n")
	for _, a := range attempts {
		fmt.Fprintf(&text, "| %s |", a.what)
		cell := a.run(t, ownNode).cell()
		fmt.Fprintf(&text, " %s |", cell)
		for _, to := range []access{noIndex, lyingNode} {
			if !a.anyIndex {
				cell = a.run(t, to).cell()
			}
			fmt.Fprintf(&text, " %s |", cell)
		}
		stolen := everything
		if a.self {
			stolen = nothing
		}
		fmt.Fprintf(&text, " %s | %s |\n", stolen, a.bound)
	}
	return text.String()
}

// TestCompromisedServer makes every attempt against a signer process, with the server's data but without the key, and
// compares the loss in a day with the table of docs/trust.md.
func TestCompromisedServer(t *testing.T) {
	page, err := os.ReadFile("../../docs/trust.md")
	must(t, err)
	if want := table(t); !strings.Contains(string(page), want) {
		t.Errorf("docs/trust.md has another table. The measured one is:\n%s", want)
	}
}

// keyInTheServer signs a transaction of every kind of output to the attacker with the key, like an attacker who reads
// the key from the server's memory. No rule and no limit applies.
func keyInTheServer(t *testing.T) string {
	t.Helper()
	c := newCompromise(t, ownNode)
	keys, err := c.keys.accountKeys(0, c.network)
	must(t, err)
	stolen := &check{Signer: c.signer(), key: keys.private}
	stolen.request.Tx = wire.NewMsgTx(2)
	for _, coin := range []vault.Coin{c.stake(c.anna, 10_000*coinLOBO, ""), c.coin(vault.TreasuryRunes, 546, treasuryRunes,
		""), c.coin(vault.TreasurySats, orderedSats, 0, ""), c.coin(vault.Payment, 50_000, 0, "order-a")} {
		output, err := c.account.CheckCoin(coin)
		must(t, err)
		coin.MerkleRoot = output.MerkleRoot
		stolen.inputs = append(stolen.inputs, coin)
		stolen.request.Tx.AddTxIn(&wire.TxIn{PreviousOutPoint: coin.OutPoint, Sequence: vault.Sequence})
	}
	stolen.request.Tx.AddTxOut(wire.NewTxOut(orderedSats, c.thief.ordinals.Script))
	tx, err := stolen.sign()
	must(t, err)
	if l := c.measure(Request{Inputs: stolen.inputs}, tx); l.runes != treasuryRunes+10_000*coinLOBO {
		t.Fatalf("the key takes %+v", l)
	}
	return "all"
}

// TestCompromisedServerAtTheBorderOfADay uses up every limit just before midnight. The server's clock has no effect: 24
// hours of the signer's clock must pass.
func TestCompromisedServerAtTheBorderOfADay(t *testing.T) {
	c := newCompromise(t, ownNode)
	c.now = time.Date(2026, 11, 4, 23, 59, 59, 0, time.UTC)
	limit := int64(c.config.Policies[0].RunesPerDay)
	_, err := c.sign(claimOf(c, limit))
	must(t, err)
	for _, later := range []time.Duration{time.Second, 12 * time.Hour, 12*time.Hour - 2*time.Second} {
		c.now = c.now.Add(later)
		if _, err := c.sign(claimOf(c, 1)); !refusedFor(err, OverLimit) {
			t.Errorf("at %s: got error %v", c.now, err)
		}
	}
	c.doubt = errors.New("the clock jumped")
	if _, err := c.sign(claimOf(c, 1)); err == nil {
		t.Error("signed with a clock in doubt")
	}
	c.doubt, c.now = nil, c.now.Add(time.Second)
	_, err = c.sign(claimOf(c, limit))
	must(t, err)
}

// TestCompromisedServerSplitsLimits spends both limits of sats and the limit of runes on one day, by every kind of
// request together.
func TestCompromisedServerSplitsLimits(t *testing.T) {
	c := newCompromise(t, ownNode)
	c.divideLimits(fewer)
	limits := c.config.Policies[0]
	all := outcome{refusal: map[Reason]int{}}
	spend := func(request func(*compromise, int64) Request, first int64) {
		for size := first; size > first/100; {
			l, err := c.sign(request(c, size))
			must(t, all.add(l, err))
			if err != nil {
				size /= 2
			}
		}
	}
	for _, request := range []func(*compromise, int64) Request{claimOf, replayedClaim, returnedRunes} {
		spend(request, treasuryRunes/500)
	}
	for _, request := range append(feesOfTheTreasury, refundFee) {
		spend(request, 1000)
	}
	if all.runes > limits.RunesPerDay || all.sats > limits.SatsPerDay+limits.RefundSatsPerDay {
		t.Errorf("%+v was lost, the limits are %+v", all.loss, limits)
	}
	if all.runes < limits.RunesPerDay*9/10 || all.sats < (limits.SatsPerDay+limits.RefundSatsPerDay)*9/10 {
		t.Errorf("only %+v was lost, the limits are %+v", all.loss, limits)
	}
}

// TestCompromisedServerAndTheMark checks that the attacker can't set an older high-water mark through the socket: a
// mark of the same ledger can only be raised.
func TestCompromisedServerAndTheMark(t *testing.T) {
	w := newWorld(t)
	w.config.Marks = &MarkFile{Path: t.TempDir() + "/mark.json", Network: "regtest"}
	client := w.overSocket()
	mark := Mark{Ledger: "a", Generation: 1, Counts: map[string]int64{"orders": 5}}
	_, err := client.Raise(t.Context(), mark, "")
	must(t, err)
	kept, err := client.Raise(t.Context(), Mark{Ledger: "a", Generation: 1, Counts: map[string]int64{"orders": 4}}, "")
	if err != nil || kept.Counts["orders"] != 5 {
		t.Errorf("a lower mark: %+v, %v", kept, err)
	}
	if _, err := client.Raise(t.Context(), Mark{Ledger: "b"}, ""); !errors.Is(err, ErrOtherLedger) {
		t.Errorf("the mark of another ledger: %v", err)
	}
}

// declare changes the runes that the server declares for an output.
func declare(c *vault.Coin, n amount.Runes) {
	c.Runes = []runes.Balance{{ID: lobo, Amount: uint128.From64(uint64(n))}}
}
