package returns_test

import (
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

func quarantined(w *testkit.World) (all []ledger.Output) {
	w.Helper()
	w.Update(func(tx *store.Tx) (err error) {
		all, err = tx.Quarantined(w.Context(), testkit.Prefix)
		return err
	})
	return all
}

// A quarantined output is returned to its owner's ordinals address. The fee account helps to pay the fee.
func TestReturn(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 10_000 })
	w.AddTreasurySats(30_000)
	id := w.TooSmall()
	w.Settle(1)
	w.Request(payout.RequestReturn, id)
	w.Step()
	if live := w.PayoutsIn(payout.Live); len(live) != 0 {
		t.Fatal("a return before 3 confirmations")
	}
	w.Settle(2)
	live := w.PayoutsIn(payout.Live)
	if len(live) != 1 || live[0].Kind != payout.Return {
		t.Fatalf("payouts: got %+v\n%s", live, w.Rows(`SELECT * FROM operator_request`))
	}
	w.Audit()
	tx := live[0].Versions[0].Tx
	w.Settle(4)
	w.Audit()
	if got := w.RunesOn(wire.OutPoint{Hash: tx.ID}); got != 999 {
		t.Errorf("runes of the owner: got %s, want 999", got)
	}
	if out := tx.Msg.TxOut[0]; string(out.PkScript) != string(w.Anna.Ordinals.Script) || out.Value != 546 {
		t.Errorf("output of the owner: got %d sats at %x", out.Value, out.PkScript)
	}
	if all := quarantined(w); len(all) != 1 || all[0].SpentBy != tx.ID.String() || !all[0].SpentOurs {
		t.Errorf("in quarantine: got %+v", all)
	}
	w.Settle(12)
	w.Audit()
	if _, _, fees := w.TreasuryBalance(); fees != 30_000-live[0].Versions[0].Fee {
		t.Errorf("fee account: got %d sats", fees)
	}
}

// Plain sats at a stake address pay for their own return.
func TestReturnPaysForItself(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	_, script := w.StakeAddress(w.Anna, 5000)
	tx := w.Send(w.Anna.Spend([]testkit.Coin{w.Anna.Sats()}, wire.NewTxOut(50_000, script)))
	w.Settle(3)
	w.Request(payout.RequestReturn, wire.OutPoint{Hash: tx.ID}.String())
	w.Step()
	live := w.PayoutsIn(payout.Live)
	if len(live) != 1 {
		t.Fatalf("payouts: got %+v", live)
	}
	back := live[0].Versions[0]
	if outs := back.Tx.Msg.TxOut; len(outs) != 1 || amount.Sats(outs[0].Value)+back.Fee != 50_000 {
		t.Errorf("outputs %+v, fee %d", outs, back.Fee)
	}
	w.Settle(16)
	w.Audit()
}

// An output that is not quarantined, unknown or spent is not returned.
func TestReturnRefused(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	good, _ := w.Deposit(w.Anna, 5000)
	small := w.TooSmall()
	w.Settle(3)
	for _, row := range []struct{ subject, want string }{
		{good, "not in quarantine"}, {"nonsense", "not an outpoint"}, {strings.Repeat("0", 64) + ":1", "no such output"},
	} {
		w.Request(payout.RequestReturn, row.subject)
		w.Step()
		if note := w.Rows(
			`SELECT note FROM operator_request WHERE status = 'refused' ORDER BY number DESC LIMIT 1`); !strings.Contains(note,
			row.want) {
			t.Errorf("%s: got refusal %q, want %q", row.subject, note, row.want)
		}
	}
	w.Request(payout.RequestReturn, small) // the fee account is empty
	w.Step()
	if note := w.Rows(`SELECT note FROM operator_request WHERE status = 'open'`); !strings.Contains(note, "sats short") {
		t.Errorf("reason for waiting: got %q", note)
	}
}

// The operator can't return what is in self-custody, for example a deposit below the minimum: the refusal says that its
// owner recovers it.
func TestReturnOfSelfCustodyRefused(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.AddTreasurySats(30_000)
	w.Anna.Self = true
	small := w.TooSmall()
	w.Settle(3)
	w.Request(payout.RequestReturn, small)
	w.Step()
	const want = "it is in self-custody: only its owner can recover it, from the recovery kit"
	if note := w.Rows(`SELECT note FROM operator_request WHERE status = 'refused'`); !strings.Contains(note, want) {
		t.Errorf("got refusal %q, want %q", note, want)
	}
	if live := w.PayoutsIn(payout.Live); len(live) != 0 {
		t.Errorf("it is returned: %+v", live)
	}
	if all := quarantined(w); len(all) != 1 || all[0].SpentBy != "" {
		t.Errorf("in quarantine: %+v", all)
	}
	w.Audit()
}

// A foreign rune at a stake address is returned completely. The fee account pays.
func TestReturnOfAForeignRune(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 10_000 })
	w.GiveSignerIndex()
	w.AddTreasurySats(30_000)
	_, script := w.StakeAddress(w.Anna, 5000)
	premine := uint128.New(7, 3)
	stone := runes.Runestone{Etching: &runes.Etching{Premine: &premine}}
	etching, err := stone.Script()
	testkit.Must(t, err)
	granted := w.Node.Grant(wire.NewTxOut(546, script), wire.NewTxOut(0, etching))
	w.Settle(3)
	all := quarantined(w)
	if len(all) != 1 || all[0].Quarantine != ledger.ForeignRunes || all[0].Owner != w.Anna.Ordinals.Text {
		t.Fatalf("in quarantine: got %+v", all)
	}
	w.Request(payout.RequestReturn, wire.OutPoint{Hash: granted.ID}.String())
	w.Settle(4)
	w.Audit()
	back := quarantined(w)[0].SpentBy
	w.Update(func(tx *store.Tx) error {
		hash, err := chainhash.NewHashFromStr(back)
		if err != nil {
			return err
		}
		balances, err := runes.BalancesOf(tx.Runes(t.Context()), wire.OutPoint{Hash: *hash})
		if len(balances) != 1 || balances[0].Amount != premine {
			t.Errorf("returned runes: got %+v", balances)
		}
		return err
	})
}

// Runes at a payment address do not count as a payment, and are returned to the ordinals address of the order's owner.
func TestReturnOfRunesAtAPaymentAddress(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 10_000 })
	w.AddTreasurySats(30_000)
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	sent := w.Send(w.Transfer(w.Anna, o.Script, 777))
	w.Settle(3)
	all := quarantined(w)
	if len(all) != 1 || all[0].Quarantine != ledger.RunesForSats || all[0].Owner != w.Anna.Ordinals.Text {
		t.Fatalf("in quarantine: got %+v", all)
	}
	if got := w.Order(o.ID); got.Seen != 0 {
		t.Errorf("seen: got %d sats, want 0", got.Seen)
	}
	w.Audit()
	w.Request(payout.RequestReturn, wire.OutPoint{Hash: sent.ID}.String())
	w.Step()
	live := w.PayoutsIn(payout.Live)
	if len(live) != 1 {
		t.Fatalf("payouts: got %+v\n%s", live, w.Rows(`SELECT * FROM operator_request`))
	}
	w.Audit()
	w.Settle(16)
	w.Audit()
	if got := w.RunesOn(wire.OutPoint{Hash: live[0].Versions[0].Tx.ID}); got != 777 {
		t.Errorf("returned runes: got %s, want 777", got)
	}
}

// A stuck return is replaced with every input kept. Any version may confirm.
func TestStuckReturnIsReplaced(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 10_000 })
	w.AddTreasurySats(2_000, 30_000)
	id := w.TooSmall()
	w.Settle(3)
	w.Request(payout.RequestReturn, id)
	w.Step()
	first := w.PayoutsIn(payout.Live)[0]
	w.Rate = amount.SatPerVB(20)
	w.Request(payout.RequestBump, first.ID)
	w.Step()
	all := w.PayoutsIn(payout.Live)[0].Versions
	if len(all) != 2 || all[1].Fee < amount.SatPerVB(20).Fee(all[1].VBytes) {
		t.Fatalf("versions: got %+v\n%s", all, w.Rows(`SELECT * FROM operator_request`))
	}
	for i, in := range all[0].Tx.Msg.TxIn {
		if all[1].Tx.Msg.TxIn[i].PreviousOutPoint != in.PreviousOutPoint {
			t.Errorf("input %s is missing", in.PreviousOutPoint)
		}
	}
	w.Audit()
	w.Node.MineOnly(all[0].Tx)
	w.Step()
	w.Audit()
	w.Node.Rewind(1)
	w.Node.MineOnly(all[1].Tx)
	w.Settle(14)
	w.Audit()
	if got := w.RunesOn(wire.OutPoint{Hash: all[1].Tx.ID}); got != 999 {
		t.Errorf("runes of the owner: got %s, want 999", got)
	}
	if _, _, fees := w.TreasuryBalance(); fees != 32_000-all[1].Fee {
		t.Errorf("fee account: got %d sats", fees)
	}
}

// A replacement of a return requires a higher fee, enough sats and an unconfirmed return.
func TestReplacementOfAReturnRefused(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	_, script := w.StakeAddress(w.Anna, 5000)
	tx := w.Send(w.Anna.Spend([]testkit.Coin{w.Anna.Sats()}, wire.NewTxOut(3_000, script)))
	w.Settle(3)
	w.Request(payout.RequestReturn, wire.OutPoint{Hash: tx.ID}.String())
	w.Step()
	id := w.PayoutsIn(payout.Live)[0].ID
	want := func(note string) {
		t.Helper()
		w.Request(payout.RequestBump, id)
		w.Step()
		if got := w.Rows(
			`SELECT note FROM operator_request WHERE status = 'refused' ORDER BY number DESC LIMIT 1`); !strings.Contains(got,
			note) {
			t.Errorf("refusal: got %q, want %q", got, note)
		}
	}
	want("nodes require")
	w.Rate = amount.SatPerVB(100)
	want("can't be built")
	w.Settle(1)
	want("it is live, in block")
}

// Sats that were sent to the treasury's address for runes by mistake are in quarantine. A return moves them to the
// address for sats, where they count in the fee account.
func TestSatsForRunes(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	to, _ := w.Account.TreasuryRunes()
	_, before, fees := w.TreasuryBalance()
	small := w.Node.Grant(wire.NewTxOut(600, to.Script))
	sent := w.Node.Grant(wire.NewTxOut(50_000, to.Script))
	w.Settle(3)
	all := quarantined(w)
	if len(all) != 2 || all[0].Quarantine != ledger.SatsForRunes || all[0].Booked {
		t.Fatalf("in quarantine: %+v", all)
	}
	w.Audit()
	for _, id := range []string{wire.OutPoint{Hash: small.ID}.String(), wire.OutPoint{Hash: sent.ID}.String()} {
		w.Request(payout.RequestReturn, id)
	}
	w.Step()
	live := w.PayoutsIn(payout.Live)
	if len(live) != 1 || live[0].Kind != payout.Return {
		t.Fatalf("payouts: %+v\n%s", live, w.Rows(`SELECT * FROM operator_request`))
	}
	w.WantRequest(wire.OutPoint{Hash: small.ID}.String(), payout.RequestOpen, "it can't be built: inputs are ")
	w.Audit()
	w.Settle(12)
	w.Audit()
	moved := 50_000 - live[0].Versions[0].Fee
	if _, sats, now := w.TreasuryBalance(); now != fees+moved || sats != before+moved {
		t.Errorf("the fee account has %d sats more, the treasury %d, want %d", now-fees, sats-before, moved)
	}
}
