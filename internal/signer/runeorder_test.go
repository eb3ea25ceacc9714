package signer

import (
	"errors"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
)

// minting is the mint and etch service with the world's keys.
type minting struct {
	*world
	anna, bert, eve wallet
	plan            *vault.OrderPlan
}

func newMinting(t *testing.T, etch bool) *minting {
	t.Helper()
	return newWorld(t).minting(etch)
}

func (w *world) minting(etch bool) *minting {
	w.Helper()
	m := &minting{
		world: w, anna: newWallet(w, 1, chain.P2TR, w.network), bert: newWallet(w, 2, chain.P2TR, w.network),
		eve: newWallet(w, 3, chain.P2TR, w.network),
	}
	w.config.RuneOrders = &RuneOrderPolicy{FeeTo: m.bert.ordinals.Text}
	o := vault.RuneOrder{
		ID: strings.Repeat("ab", 16), Destination: m.anna.ordinals.Text, Refund: m.anna.ordinals.Text,
		AppFee: 700, AppFeeTo: m.bert.ordinals.Text, ServiceFee: 1500, ServiceFeeTo: m.bert.ordinals.Text,
	}
	name, err := runes.ParseSpacedName("WOLVESATNIGHT")
	must(w, err)
	if etch {
		o.Etch = &vault.RuneEtch{
			Etching:     runes.Etching{Name: &name.Name},
			Inscription: &vault.Inscription{ContentType: "text/plain", Body: []byte(strings.Repeat("howl", 300))},
		}
	} else {
		o.Mint = &vault.RuneMint{Rune: lobo, Repeats: 2}
	}
	m.plan = m.planned(o)
	return m
}

func (m *minting) planned(o vault.RuneOrder) *vault.OrderPlan {
	m.Helper()
	xpub, err := m.keys.AccountXpub(vault.OrdersAccount, m.network)
	must(m, err)
	account, err := vault.NewAccount(xpub, m.network)
	must(m, err)
	plan, err := account.PlanOrder(o)
	must(m, err)
	return plan
}

func (m *minting) fund(sats amount.Sats) []vault.Coin {
	m.Helper()
	coin, err := m.plan.Coin(vault.OrderFund, m.outpoint(), sats)
	must(m, err)
	return []vault.Coin{coin}
}

// all returns a request for each of the order's transactions.
func (m *minting) all(sats amount.Sats) (requests []Request) {
	m.Helper()
	target := vault.FeeTarget{Rate: amount.SatPerVB(3)}
	build := m.plan.CommitAndReveal
	if m.plan.Order.Mint != nil {
		build = func(coins []vault.Coin, target vault.FeeTarget) ([]vault.OrderTx, error) {
			return m.plan.Mints(coins, 2, target)
		}
	}
	txs, err := build(m.fund(sats), target)
	must(m, err)
	for _, t := range txs {
		requests = append(requests, m.request(t))
	}
	return requests
}

func (m *minting) request(t vault.OrderTx) Request {
	o := m.plan.Order
	return Request{Account: vault.OrdersAccount, Tx: t.Tx, Inputs: t.Inputs, RuneOrder: &o}
}

func TestSignsRuneOrders(t *testing.T) {
	for _, etch := range []bool{true, false} {
		m := newMinting(t, etch)
		s, client := m.signer(), m.overSocket()
		for i, r := range m.all(20_000) {
			signed, err := s.Sign(t.Context(), r)
			must(t, err)
			if got := chain.VSize(signed); got != m.plan.VBytes(r.Tx, r.Inputs) {
				t.Errorf("transaction %d has %d vB, want %d", i, got, m.plan.VBytes(r.Tx, r.Inputs))
			}
			again, err := client.Sign(t.Context(), r)
			must(t, err)
			if string(serialized(t, again)) != string(serialized(t, signed)) {
				t.Errorf("transaction %d has other bytes when it is signed over the socket", i)
			}
		}
		refund, err := m.plan.Refund(m.fund(5000), vault.FeeTarget{Rate: amount.SatPerVB(3)})
		must(t, err)
		_, err = s.Sign(t.Context(), m.request(refund))
		must(t, err)
	}
}

// An order that was made with another address for the service fee is not delivered, but its refund is signed.
func TestOtherFeeAddress(t *testing.T) {
	m := newMinting(t, false)
	m.config.RuneOrders.FeeTo = ""
	s, requests := m.signer(), m.all(20_000)
	if _, err := s.Sign(t.Context(), requests[len(requests)-1]); !refusedFor(err, WrongTarget) {
		t.Errorf("the delivery: got %v, want a refusal", err)
	}
	refund, err := m.plan.Refund(m.fund(5000), vault.FeeTarget{Rate: amount.SatPerVB(3)})
	must(t, err)
	if _, err := s.Sign(t.Context(), m.request(refund)); err != nil {
		t.Errorf("the refund: %v", err)
	}
}

// TestRuneOrderTampered checks that a compromised server gets no signature for a changed request: changed terms derive
// other keys, and changed outputs violate a rule.
func TestRuneOrderTampered(t *testing.T) {
	last := func(rs []Request) *Request { return &rs[len(rs)-1] }
	for name, row := range map[string]struct {
		etch   bool
		tamper func(m *minting, rs []Request) *Request
		want   Reason
	}{
		"another destination in the order": {false, func(m *minting, rs []Request) *Request {
			r := last(rs)
			r.RuneOrder.Destination = m.eve.ordinals.Text
			r.Tx.TxOut[0].PkScript = m.eve.ordinals.Script
			return r
		}, NotOurs},
		"another refund in the order": {true, func(m *minting, rs []Request) *Request {
			r := last(rs)
			r.RuneOrder.Refund = m.eve.ordinals.Text
			return r
		}, NotOurs},
		"another id": {true, func(m *minting, rs []Request) *Request {
			rs[0].RuneOrder.ID = strings.Repeat("cd", 16)
			return &rs[0]
		}, NotOurs},
		"a smaller app fee in the order": {true, func(m *minting, rs []Request) *Request {
			r := last(rs)
			r.RuneOrder.AppFee = 600
			return r
		}, NotOurs},
		"the delivery goes elsewhere": {true, func(m *minting, rs []Request) *Request {
			r := last(rs)
			r.Tx.TxOut[0].PkScript = m.eve.ordinals.Script
			return r
		}, WrongTarget},
		"the app's fee goes elsewhere": {false, func(m *minting, rs []Request) *Request {
			r := last(rs)
			r.Tx.TxOut[2].PkScript = m.eve.ordinals.Script
			return r
		}, WrongTarget},
		"the service takes more": {false, func(m *minting, rs []Request) *Request {
			r := last(rs)
			r.Tx.TxOut[3].Value += 1000
			return r
		}, WrongTarget},
		"the rest goes elsewhere": {false, func(m *minting, rs []Request) *Request {
			r := last(rs)
			r.Tx.TxOut[len(r.Tx.TxOut)-1].PkScript = m.eve.ordinals.Script
			return r
		}, WrongTarget},
		"one output more": {false, func(m *minting, rs []Request) *Request {
			r := last(rs)
			r.Tx.AddTxOut(wire.NewTxOut(600, m.eve.ordinals.Script))
			return r
		}, WrongTarget},
		"the commitment elsewhere": {true, func(m *minting, rs []Request) *Request {
			rs[0].Tx.TxOut[0].PkScript = m.eve.ordinals.Script
			return &rs[0]
		}, WrongRunes},
		"another runestone": {false, func(m *minting, rs []Request) *Request {
			stone, err := runes.Runestone{Mint: &runes.ID{Block: 1, Tx: 1}}.Script()
			must(m, err)
			last(rs).Tx.TxOut[1].PkScript = stone
			return last(rs)
		}, WrongRunes},
		"an etching without its commitment": {true, func(m *minting, rs []Request) *Request {
			r := last(rs)
			r.Inputs = m.fund(20_000)
			r.Tx.TxIn[0].PreviousOutPoint, r.Tx.TxIn[0].Sequence = r.Inputs[0].OutPoint, vault.Sequence
			return r
		}, WrongRunes},
		"a reveal without its delay": {true, func(m *minting, rs []Request) *Request {
			last(rs).Tx.TxIn[0].Sequence = vault.Sequence
			return last(rs)
		}, BadRequest},
		"money of somebody else": {false, func(m *minting, rs []Request) *Request {
			rs[0].Inputs[0].Output.PkScript = m.eve.ordinals.Script
			return &rs[0]
		}, NotOurs},
		"a community's payment": {false, func(m *minting, rs []Request) *Request {
			coin := m.coin(vault.Payment, 5000, 0, "order-a")
			rs[0].Inputs[0] = coin
			rs[0].Tx.TxIn[0].PreviousOutPoint = coin.OutPoint
			return &rs[0]
		}, NotOurs},
		"a community's account": {false, func(m *minting, rs []Request) *Request {
			rs[0].Account = 0
			return &rs[0]
		}, BadRequest},
		"money that bears runes": {false, func(m *minting, rs []Request) *Request {
			m.balances[rs[0].Inputs[0].OutPoint] = balance(5)
			return &rs[0]
		}, WrongRunes},
		"all of it as a fee": {false, func(m *minting, rs []Request) *Request {
			m.config.MaxFee = 300
			return &rs[0]
		}, FeeTooHigh},
		"a service fee to somebody else": {false, func(m *minting, rs []Request) *Request {
			m.config.RuneOrders.FeeTo = m.anna.ordinals.Text
			return last(rs)
		}, WrongTarget},
		"a signer without the service": {false, func(m *minting, rs []Request) *Request {
			m.config.RuneOrders = nil
			return &rs[0]
		}, BadRequest},
		"a payout beside it": {false, func(m *minting, rs []Request) *Request {
			rs[0].Refund = &Refund{}
			return &rs[0]
		}, BadRequest},
		"a withdrawal beside it": {false, func(m *minting, rs []Request) *Request {
			rs[0].Withdrawal = &Withdrawal{Community: "lobo", To: m.anna.payment.Text, Sats: 1_000}
			return &rs[0]
		}, BadRequest},
		"no input described": {false, func(m *minting, rs []Request) *Request {
			rs[0].Inputs = nil
			return &rs[0]
		}, BadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMinting(t, row.etch)
			r := row.tamper(m, m.all(20_000))
			tx, err := m.signer().Sign(t.Context(), *r)
			if tx != nil || !refusedFor(err, row.want) {
				t.Errorf("Sign: signed %v, error %v, want a refusal for %s", tx != nil, err, row.want)
			}
		})
	}
}

// TestRuneOrderShort checks that a plan built from too few sats reports the missing amount, and that exactly that
// amount is sufficient.
func TestRuneOrderShort(t *testing.T) {
	m := newMinting(t, true)
	_, err := m.plan.CommitAndReveal(m.fund(100), vault.FeeTarget{Rate: amount.SatPerVB(3)})
	var short *vault.ErrSatsShort
	if !errors.As(err, &short) {
		t.Fatal(err)
	}
	if _, err := m.plan.CommitAndReveal(m.fund(100+short.Missing), vault.FeeTarget{Rate: amount.SatPerVB(3)}); err != nil {
		t.Error(err)
	}
	if _, err := m.plan.CommitAndReveal(m.fund(99+short.Missing), vault.FeeTarget{Rate: amount.SatPerVB(3)}); err == nil {
		t.Error("one sat less is also sufficient")
	}
}
