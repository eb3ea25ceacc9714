package e2e

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// unit is a unit in wire format.
type unit struct {
	ID        string     `json:"ru_rutxo_id"`
	Amount    string     `json:"ru_rune_amount"`
	Stage     string     `json:"ru_stage"`
	TxID      *string    `json:"ru_txid"`
	Vout      *int64     `json:"ru_vout"`
	Value     *int64     `json:"ru_value"`
	Spent     bool       `json:"ru_vout_spent"`
	Virtual   bool       `json:"isvirtual"`
	Timeout   *time.Time `json:"timeout"`
	OrderID   *string    `json:"ru_po_id"`
	Contested bool       `json:"contested"`
	Eligible  *int64     `json:"eligible_epoch"`
}

// order is a payment order in wire format.
type order struct {
	ID          string     `json:"po_order_id"`
	Payment     string     `json:"po_wallet_code"`
	Ordinals    string     `json:"po_wallet_code_ord"`
	ActionID    string     `json:"po_wa_id"`
	Units       []string   `json:"po_rutxos"`
	Amount      string     `json:"wa_amount"`
	FeeRate     float64    `json:"po_feerate"`
	Total       int64      `json:"total_fee"`
	Network     int64      `json:"network_fee"`
	Service     int64      `json:"service_fee"`
	Rutxos      int64      `json:"rutxos_fee"`
	PerRutxo    int64      `json:"per_rutxo_btc"`
	Address     string     `json:"po_payment_address"`
	Created     time.Time  `json:"po_creation_date"`
	RateDate    time.Time  `json:"po_rerate_date"`
	Status      string     `json:"po_status"`
	Balance     int64      `json:"po_balance"`
	Type        string     `json:"wa_action_type"`
	Confirmed   int64      `json:"po_confirmed_balance"`
	Due         int64      `json:"po_due"`
	Deadline    *time.Time `json:"po_deadline"`
	Overpayment int64      `json:"po_overpayment"`
	PayoutTx    *string    `json:"po_payout_txid"`
	RefundDue   *struct {
		Amount  int64  `json:"amount"`
		Address string `json:"address"`
	} `json:"po_refund_due"`
}

// payment is one entry of an order's payment history.
type payment struct {
	TxID      string    `json:"txid"`
	Value     int64     `json:"value"`
	Date      time.Time `json:"date"`
	Confirmed bool      `json:"isConfirmed"`
}

// totals are a wallet's sums by stage.
type totals struct {
	Pending   string `json:"pending_stake"`
	Staked    string `json:"wallet_staked"`
	Claimable string `json:"claimable_rewards"`
	Locked    string `json:"locked_unstaked"`
	Unlocked  string `json:"unlocked_unstaked"`
	Share     string `json:"wallet_share"`
}

// effect is the result of a signed action.
type effect struct {
	Applied bool   `json:"transaction_created"`
	Order   *order `json:"payment_order"`
}

// intent is a requested action, which is not signed yet.
type intent struct {
	Message  string `json:"messagetosign"`
	ActionID string `json:"action_id"`
}

// stakeTarget is the address to which a stake is sent.
type stakeTarget struct {
	Address  string `json:"stake_addrss"`
	ActionID string `json:"wa_id"`
}

// staker is a wallet and the server that it uses.
type staker struct {
	site
	wallet
	rune string
	self bool // stakes are in self-custody
}

func newStaker(s site, name string, payment, ordinals kind) *staker {
	s.t.Helper()
	return &staker{s, newWallet(s.t, name, payment, ordinals), s.runeID(), false}
}

// on returns the same staker for another test or subtest.
func (p *staker) on(t testing.TB) *staker {
	other := *p
	other.t = t
	return &other
}

// with returns the wallet's fields together with additional ones.
func (p *staker) with(more fields) fields {
	all := fields{"w_wallet_code": p.payment.text, "w_wallet_code_ord": p.ordinals.text}
	for key, value := range more {
		all[key] = value
	}
	return all
}

// endow sends runes and sats from the faucet to the wallet. The transactions are unconfirmed.
func (p *staker) endow(units int64) {
	p.t.Helper()
	p.dev("faucet", fields{"address": p.ordinals.text, "runes": units, "prefix": prefix}, nil)
	for range 4 { // several coins, so that payments do not spend each other's change
		p.dev("faucet", fields{"address": p.payment.text, "sats": 400_000}, nil)
	}
}

// balance returns the runes at the ordinals address in base units, according to the dev network, including unconfirmed
// ones.
func (p *staker) balance() (units int64) {
	p.t.Helper()
	for _, c := range p.coins(p.ordinals) {
		units += c.holds(p.t, p.rune)
	}
	return units
}

func (p *staker) stakeRequest(units int64) fields {
	request := fields{
		"w_wallet_code_pk": p.payment.publicKey(), "w_wallet_code_ord_pk": p.ordinals.publicKey(),
		"wa_amount": strconv.FormatInt(units, 10),
	}
	if p.self {
		request["custody_kind"] = "self"
	}
	return p.with(request)
}

// stake transfers runes to a stake address and waits until the server shows the unconfirmed unit.
func (p *staker) stake(units int64) unit {
	p.t.Helper()
	var target, again stakeTarget
	p.post("postDemoStake", p.stakeRequest(units), &target)
	p.post("postDemoStake", p.stakeRequest(units), &again)
	if target != again {
		p.t.Errorf("an unfunded stake address changed: %+v, then %+v", target, again)
	}
	txid := p.broadcast(p.transferRunes(p.t, p.rune, units, target.Address, p.coins(p.ordinals), p.coins(p.payment)))
	id := txid + ":0"
	await(p.t, patience, "the deposit is seen unconfirmed", func() bool {
		return p.stage(id) == "PENDING_STAKE"
	})
	var done effect
	p.post("signWalletAction", p.with(fields{
		"wa_action_id": target.ActionID, "wa_action_type": "STAKE", "txid": txid, "signature": "", "messageHash": "",
	}), &done)
	made := p.unit(id)
	if !done.Applied || done.Order != nil || made.Amount != strconv.FormatInt(units, 10) || made.Virtual ||
		*made.TxID != txid || *made.Vout != 0 || *made.Value != postage {
		p.t.Errorf("staking %d base units returned %+v, and the unit is %+v", units, done, made)
	}
	return made
}

// units returns all units of the wallet, including spent ones.
func (p *staker) units() []unit {
	p.t.Helper()
	var out struct {
		List []unit `json:"utxos_list"`
	}
	p.post("fetchWalletUtxos", p.with(fields{"include_spent": "true"}), &out)
	return out.List
}

func (p *staker) unit(id string) unit {
	p.t.Helper()
	units := p.units()
	i := slices.IndexFunc(units, func(u unit) bool { return u.ID == id })
	if i < 0 {
		p.t.Fatalf("there is no unit %s in %+v", id, units)
	}
	return units[i]
}

// stage returns the stage of a unit, or "" if the unit is unknown.
func (p *staker) stage(id string) string {
	p.t.Helper()
	for _, u := range p.units() {
		if u.ID == id {
			return u.Stage
		}
	}
	return ""
}

// in returns the units in a stage, oldest first.
func (p *staker) in(stage string) (units []unit) {
	p.t.Helper()
	for _, u := range p.units() {
		if u.Stage == stage {
			units = append(units, u)
		}
	}
	slices.Reverse(units)
	return units
}

func (p *staker) wantStage(id, stage string) {
	p.t.Helper()
	if got := p.stage(id); got != stage {
		p.t.Fatalf("the unit %s is %q, want %s", id, got, stage)
	}
}

func (p *staker) totals() (sums totals) {
	p.t.Helper()
	p.post("postInfoWallet", p.with(nil), &sums)
	return sums
}

// ask requests an action and checks the content of its message.
func (p *staker) ask(kind string, ids ...string) (i intent) {
	p.t.Helper()
	if ids == nil {
		ids = []string{}
	}
	p.post("postAction", p.with(fields{"utxos": ids, "wa_action_type": kind}), &i)
	for _, part := range []string{"Action: " + kind + "\n", p.payment.text, p.ordinals.text, "Network: regtest\n",
		i.ActionID} {
		if !strings.Contains(i.Message, part) {
			p.t.Errorf("the message of %s does not contain %q:\n%s", kind, part, i.Message)
		}
	}
	return i
}

func (p *staker) signed(kind string, i intent, signature string) fields {
	return p.with(fields{
		"wa_action_id": i.ActionID, "wa_action_type": kind, "txid": "", "signature": signature, "messageHash": "",
	})
}

// act requests, signs and submits an action, and returns its order, if any. If an epoch ended meanwhile, the message is
// out of date: then act starts again once, like a wallet's user.
func (p *staker) act(kind string, ids ...string) *order {
	p.t.Helper()
	for again := true; ; again = false {
		i := p.ask(kind, ids...)
		body := p.signed(kind, i, p.ordinals.signMessage(p.t, i.Message))
		if status, e := p.try("signWalletAction", body); status != http.StatusOK || e.Success || !again ||
			e.Code != "ACTION_STALE" {
			return p.submit(kind, i, body)
		}
	}
}

// submit submits a proof twice and returns the order of the first response. The second response must be the same.
func (p *staker) submit(kind string, i intent, body fields) *order {
	p.t.Helper()
	var first, second effect
	p.post("signWalletAction", body, &first)
	if !first.Applied {
		p.t.Fatalf("%s %s was not applied", kind, i.ActionID)
	}
	p.post("signWalletAction", body, &second)
	if (first.Order == nil) != (second.Order == nil) || first.Order != nil && first.Order.ID != second.Order.ID {
		p.t.Errorf("%s submitted again: %+v, want %+v", kind, second, first)
	}
	return first.Order
}

func (p *staker) orders() []order {
	p.t.Helper()
	var out struct{ Orders []order }
	p.post("fetchClientPOs", p.with(nil), &out)
	return out.Orders
}

func (p *staker) order(id string) order {
	p.t.Helper()
	orders := p.orders()
	i := slices.IndexFunc(orders, func(o order) bool { return o.ID == id })
	if i < 0 {
		p.t.Fatalf("there is no order %s in %+v", id, orders)
	}
	return orders[i]
}

// awaitStatus waits until the order has the status and returns it.
func (p *staker) awaitStatus(id, status string) (o order) {
	p.t.Helper()
	await(p.t, patience, "order "+id+" is "+status, func() bool {
		o = p.order(id)
		return o.Status == status
	})
	return o
}

// awaitSent waits until the node has the payout of an order. An order becomes SENT when its payout is stored, shortly
// before the broadcast.
func (p *staker) awaitSent(id string) order {
	p.t.Helper()
	o := p.awaitStatus(id, "SENT")
	await(p.t, patience, "the payout is sent", func() bool {
		return p.site.send(http.MethodGet, "/dev/tx?txid="+*o.PayoutTx, "", nil).status == http.StatusOK
	})
	return o
}

func (p *staker) wantStatus(id, status string) order {
	p.t.Helper()
	o := p.order(id)
	if o.Status != status {
		p.t.Fatalf("the order is %+v, want %s", o, status)
	}
	return o
}

// pay sends sats to an order's address.
func (p *staker) pay(o order, sats int64) (txid string) {
	p.t.Helper()
	return p.broadcast(p.sendSats(p.t, sats, o.Address, p.coins(p.payment)))
}

// payments returns the payment history of an order, newest first.
func (p *staker) payments(o order) []payment {
	p.t.Helper()
	var out struct {
		List []payment `json:"po_txs"`
	}
	p.post("fetchPOTxHistory", p.with(fields{"order_id": o.ID}), &out)
	return out.List
}
