package action_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/fault"
	"moonfund/internal/signed/message"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// refused fails the test unless err is the fault with this sentence and these arguments.
func refused(t *testing.T, err error, want fault.Sentence, args ...any) {
	t.Helper()
	var got *fault.Error
	if !errors.As(err, &got) || got.Message != fault.Refuse(want, args...).Message {
		t.Errorf("got %v, want: %s", err, fault.Refuse(want, args...).Message)
	}
}

func post(w *testkit.World, from *testkit.Wallet, kind action.Type, ids ...string) action.Requested {
	w.Helper()
	requested, err := w.Ask(from, kind, ids...)
	testkit.Must(w, err)
	return requested
}

func signing(w *testkit.World, from *testkit.Wallet, kind action.Type, r action.Requested) action.SignRequest {
	w.Helper()
	return action.SignRequest{Wallet: from.Pair(), ActionID: r.ActionID, Type: kind, Signature: from.Sign(r.Message)}
}

func sign(w *testkit.World, r action.SignRequest) (action.Signed, error) {
	return w.Actions.Sign(w.Context(), testkit.Prefix, r)
}

func TestStake(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	given, script := w.StakeAddress(w.Anna, 5000)
	again, _ := w.StakeAddress(w.Anna, 9000)
	if again != given {
		t.Error("an unfunded address was not issued again")
	}
	if bert, _ := w.StakeAddress(w.Bert, 5000); bert.Address == given.Address {
		t.Error("two stakers share an address")
	}
	report := action.SignRequest{Wallet: w.Anna.Pair(), ActionID: given.ActionID, Type: action.Stake}
	signed, err := sign(w, report)
	if err != nil || signed.Applied {
		t.Errorf("before the deposit: %+v, %v", signed, err)
	}
	tx := w.Send(w.Transfer(w.Anna, script, 5000))
	// A wrong txid has no effect; any txid makes the follower run a step.
	report.TxID = strings.Repeat("00", 32)
	signed, err = sign(w, report)
	if err != nil || !signed.Applied {
		t.Errorf("after the deposit: %+v, %v", signed, err)
	}
	w.WantStage(tx.ID.String()+":0", ledger.PendingStake)
	signed, err = sign(w, report)
	if err != nil || !signed.Applied {
		t.Errorf("again: %+v, %v", signed, err)
	}
	if next, _ := w.StakeAddress(w.Anna, 5000); next.Address == given.Address {
		t.Error("a funded address was issued again")
	}
	report.Wallet = w.Bert.Pair()
	_, err = sign(w, report)
	refused(t, err, fault.ActionUnknown)
}

func TestStakeRefusals(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	ask := func(change func(*action.StakeRequest)) error {
		r := w.Anna.Request(5000)
		change(&r)
		_, err := w.Actions.NewStake(t.Context(), testkit.Prefix, r)
		return err
	}
	refused(t, ask(func(r *action.StakeRequest) {
		r.Amount = testkit.MinimumStake - 1
	}), fault.StakeBelowMinimum, "0.00001 LOBO")
	refused(t, ask(func(r *action.StakeRequest) { r.Amount = 1<<40 + 1 }), fault.StakeAboveSupply)
	refused(t, ask(func(r *action.StakeRequest) {
		r.OrdinalsKey = w.Bert.Request(1).OrdinalsKey
	}), fault.KeyNotOfAddress, w.Anna.Ordinals.Text)
	refused(t, ask(func(r *action.StakeRequest) {
		r.PaymentKey = w.Bert.Request(1).PaymentKey
	}), fault.KeyNotOfAddress, w.Anna.Payment.Text)
	refused(t, ask(func(r *action.StakeRequest) {
		r.Wallet.Ordinals = w.Bert.Ordinals.Text
	}), fault.KeyNotOfAddress, w.Bert.Ordinals.Text)
	refused(t, ask(func(r *action.StakeRequest) { r.Wallet.Ordinals = "nonsense" }), fault.InvalidAddress)
	mainnet := "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
	refused(t, ask(func(r *action.StakeRequest) { r.Wallet.Payment = mainnet }), fault.WrongNetwork, mainnet, "regtest")
	if rows := w.Rows(`SELECT * FROM stake_address`); rows != "" {
		t.Errorf("a stake address was issued: %s", rows)
	}
}

func TestUnstakeRestake(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Staked(w.Anna, 5000)
	_, err := w.TryAct(w.Anna, action.Restake, id)
	refused(t, err, fault.UnitNotUnlocked, id)
	_, err = w.TryAct(w.Anna, action.Withdraw, id)
	refused(t, err, fault.UnitNotUnlocked, id)
	w.Act(w.Anna, action.Unstake, id)
	w.WantStage(id, ledger.PendingUnlock)
	_, err = w.TryAct(w.Anna, action.Unstake, id)
	refused(t, err, fault.UnitNotStaked, id)
	w.NextEpoch()
	_, err = w.TryAct(w.Anna, action.Restake, id)
	refused(t, err, fault.UnitNotUnlocked, id)
	w.NextEpoch()
	w.Act(w.Anna, action.Restake, id)
	w.WantStage(id, ledger.PendingStake)
	w.NextEpoch()
	w.WantStage(id, ledger.Staked)
}

// Before the last epoch of a stake is settled, a restake would lose the epoch's reward, so it is refused.
func TestRestakeWaitsForTheReward(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Staked(w.Anna, 5000) // from epoch 1 on
	w.NextEpoch()
	w.Act(w.Anna, action.Unstake, id)
	w.Clock.Advance(2 * testkit.EpochLength) // no blocks meanwhile
	w.Node.Mine()
	w.Step()
	w.WantStage(id, ledger.Unlocked)
	_, err := w.TryAct(w.Anna, action.Restake, id)
	refused(t, err, fault.RestakeUnsettled, 1)
	w.Settle(ledger.SettleDepth)
	w.Act(w.Anna, action.Restake, id)
	if n := len(w.Units(w.Anna, ledger.Claimable)); n != 1 {
		t.Errorf("got %d rewards, want 1", n)
	}
}

func TestClaimAndCompound(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	_, err := w.TryAct(w.Anna, action.Claim)
	refused(t, err, fault.NothingClaimable)
	_, first := w.Rewarded(w.Anna, 5000)
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	rewards := w.Units(w.Anna, ledger.Claimable)
	if len(rewards) != 2 || rewards[0] != first {
		t.Fatalf("rewards: %v", rewards)
	}
	signed := w.Act(w.Anna, action.Claim, first)
	if signed.Order == nil || len(signed.Order.UnitIDs) != 1 || signed.Order.UnitIDs[0] != first ||
		signed.Order.Reason != ledger.ForClaim {
		t.Fatalf("signed: %+v", signed)
	}
	w.WantStage(first, ledger.POClaimed)
	_, err = w.TryAct(w.Anna, action.Claim)
	refused(t, err, fault.ClaimActive)
	_, err = w.TryAct(w.Anna, action.Compound, first)
	refused(t, err, fault.UnitNotClaimable, first)
	w.Act(w.Anna, action.Compound) // the remaining rewards
	if left := w.Units(w.Anna, ledger.Claimable); len(left) != 0 {
		t.Errorf("rewards left to claim: got %v, want none", left)
	}
	w.WantStage(rewards[1], ledger.PendingStake)
}

func TestEstimateIsTheOrdersPrice(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	w.Rate = amount.FeeRate(3700)
	fees, rate, err := w.Actions.Estimate(t.Context(), testkit.Prefix, w.Anna.Pair(), action.Withdraw, []string{id})
	testkit.Must(t, err)
	o := w.Act(w.Anna, action.Withdraw, id).Order
	if o.Fees != fees || o.FeeRate != rate || o.Due() != fees.Total() {
		t.Errorf("fees: estimated %+v, ordered %+v", fees, o.Fees)
	}
	_, _, err = w.Actions.Estimate(t.Context(), testkit.Prefix, w.Anna.Pair(), action.Unstake, []string{id})
	refused(t, err, fault.EstimateOnlyForOrders, "UNSTAKE")
}

// Actions that open no order do not read the node's fee rate.
func TestOnlyOrdersNeedAFeeRate(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	reads, rate := 0, w.Actions.Rate
	w.Actions.Rate = func(ctx context.Context) amount.FeeRate {
		reads++
		return rate(ctx)
	}
	id := w.Unlocked(w.Anna, 5000)
	w.Act(w.Anna, action.Restake, id)
	if reads != 0 {
		t.Errorf("an unstake and a restake read the fee rate %d times", reads)
	}
	o := w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
	if reads == 0 || o.FeeRate != w.Rate {
		t.Errorf("the fee rate was read %d times; the order has %d, want %d", reads, o.FeeRate, w.Rate)
	}
}

// Units of other owners, unknown units and repeated units are refused.
func TestUnitsOfAnAction(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Staked(w.Anna, 5000)
	_, err := w.TryAct(w.Bert, action.Unstake, id)
	refused(t, err, fault.UnitUnknown, id)
	_, err = w.TryAct(w.Anna, action.Unstake, "nothing")
	refused(t, err, fault.UnitUnknown, "nothing")
	_, err = w.TryAct(w.Anna, action.Unstake, id, id)
	refused(t, err, fault.UnitTwice)
	_, err = w.TryAct(w.Anna, action.Unstake)
	refused(t, err, fault.NoUnits)
	_, err = w.TryAct(w.Anna, action.Stake, id)
	refused(t, err, fault.ActionNotPosted)
	_, err = w.Actions.Post(t.Context(), "other", w.Anna.Pair(), action.Unstake, []string{id}, "")
	if fault.From(err).Kind != fault.NotFound {
		t.Errorf("another community: %v", err)
	}
	many := make([]string, order.MaxUnits+1)
	_, err = w.TryAct(w.Anna, action.Withdraw, many...)
	refused(t, err, fault.TooManyUnits, order.MaxUnits)
}

// Submitting the same proof again returns the first result, any number of times.
func TestReplay(t *testing.T) {
	w := testkit.NewWorld(t)
	id := w.Unlocked(w.Anna, 5000)
	r := signing(w, w.Anna, action.Withdraw, post(w, w.Anna, action.Withdraw, id))
	var answers sync.Map
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			signed, err := sign(w, r)
			if err != nil {
				t.Error(err)
				return
			}
			answers.Store(signed.Order.ID, true)
		})
	}
	all.Wait()
	n := 0
	answers.Range(func(any, any) bool { n++; return true })
	if n != 1 {
		t.Errorf("got %d different orders, want 1", n)
	}
	if rows := w.Rows(`SELECT COUNT(*) AS n FROM payment_order`); rows != "n=1 \n" {
		t.Errorf("orders: %s", rows)
	}
	// Other signatures do not get the result.
	forged := r
	forged.Signature = w.Bert.Sign("anything")
	_, err := sign(w, forged)
	refused(t, err, fault.SignatureWrong, w.Anna.Ordinals.Text)
	// The proof returns the same order after it expired.
	w.Clock.Advance(24 * time.Hour)
	w.Step()
	signed, err := sign(w, r)
	if err != nil || signed.Order.Status != order.Expired {
		t.Errorf("after the order expired: got %+v, %v", signed, err)
	}
	w.WantStage(id, ledger.Unlocked)
}

// Of 64 signed withdrawals of one unit, one succeeds.
func TestParallelWithdrawals(t *testing.T) {
	w := testkit.NewWorld(t)
	id := w.Unlocked(w.Anna, 5000)
	var requests []action.SignRequest
	for range 64 {
		requests = append(requests, signing(w, w.Anna, action.Withdraw, post(w, w.Anna, action.Withdraw, id)))
	}
	var mu sync.Mutex
	won := 0
	var all sync.WaitGroup
	for _, r := range requests {
		all.Go(func() {
			signed, err := sign(w, r)
			mu.Lock()
			defer mu.Unlock()
			if err == nil && signed.Applied {
				won++
				return
			}
			refused(t, err, fault.UnitNotUnlocked, id)
		})
	}
	all.Wait()
	if won != 1 {
		t.Errorf("%d withdrawals of one unit succeeded, want 1", won)
	}
	w.Step()
	w.WantStage(id, ledger.POLocked)
}

// An invalid proof changes nothing.
func TestProofs(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Staked(w.Anna, 5000)
	other := w.Staked(w.Anna, 6000)
	before := w.Dump()
	good := post(w, w.Anna, action.Unstake, id)
	foreign := post(w, w.Anna, action.Unstake, other)
	with := func(change func(*action.SignRequest)) error {
		r := signing(w, w.Anna, action.Unstake, good)
		change(&r)
		_, err := sign(w, r)
		return err
	}
	anna := w.Anna.Ordinals.Text
	refused(t, with(func(r *action.SignRequest) { r.Signature = "" }), fault.SignatureNeeded)
	refused(t, with(func(r *action.SignRequest) { r.Signature = "rubbish" }), fault.SignatureMalformed)
	refused(t, with(func(r *action.SignRequest) { r.Signature = w.Bert.Sign(good.Message) }), fault.SignatureWrong, anna)
	refused(t, with(func(r *action.SignRequest) {
		r.Signature = w.Anna.Sign(foreign.Message)
	}), fault.SignatureWrong, anna)
	refused(t, with(func(r *action.SignRequest) {
		r.Signature = w.Anna.SignPayment(good.Message)
	}), fault.SignatureWrong, anna)
	refused(t, with(func(r *action.SignRequest) { r.ActionID = "0123" }), fault.ActionUnknown)
	refused(t, with(func(r *action.SignRequest) { r.Wallet = w.Bert.Pair() }), fault.ActionUnknown)
	refused(t, with(func(r *action.SignRequest) { r.Wallet.Payment = w.Bert.Payment.Text }), fault.ActionUnknown)
	refused(t, with(func(r *action.SignRequest) { r.Type = action.Compound }), fault.ActionOtherType, "UNSTAKE")
	refused(t, with(func(r *action.SignRequest) {
		r.PaymentSignature = w.Bert.SignPayment(good.Message)
	}), fault.SignatureWrong, w.Anna.Payment.Text)
	if _, err := w.Actions.Sign(t.Context(), "other", signing(w, w.Anna, action.Unstake, good)); err == nil {
		t.Error("a proof was accepted for another community")
	}
	w.Clock.Advance(action.Validity + time.Second)
	refused(t, with(func(*action.SignRequest) {}), fault.ActionExpired)
	if after := w.Dump(); after != before {
		t.Error("an invalid proof changed the ledger")
	}
	if rows := w.Rows(`SELECT * FROM wallet_link`); rows != "" {
		t.Errorf("a link was stored: %s", rows)
	}
}

// A message states an unlock date. After the boundary the date differs, so the message is refused.
func TestStaleMessage(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Staked(w.Anna, 5000)
	w.Clock.Set(testkit.Genesis.Add(2*testkit.EpochLength - time.Minute))
	r := signing(w, w.Anna, action.Unstake, post(w, w.Anna, action.Unstake, id))
	w.Clock.Advance(2 * time.Minute)
	_, err := sign(w, r)
	refused(t, err, fault.ActionStale)
	w.WantStage(id, ledger.Staked)
	w.Act(w.Anna, action.Unstake, id)
}

// The message is readable text and parses back to the intent.
func TestMessageParsesBack(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Staked(w.Anna, 5000)
	r := post(w, w.Anna, action.Unstake, id)
	intent, err := message.Parse(r.Message)
	testkit.Must(t, err)
	if intent.Action != "UNSTAKE" || intent.Ordinals != w.Anna.Ordinals.Text || intent.Payment != w.Anna.Payment.Text ||
		intent.Network != "regtest" ||
		intent.Community != testkit.Name || intent.Sum != "5000" || intent.SumText != "0.00005 LOBO" || intent.Count != 1 ||
		intent.Digest != message.Digest([]string{id}) || intent.Nonce != r.ActionID ||
		!intent.Expires.Equal(w.Clock.Now().Add(action.Validity)) {
		t.Errorf("intent: %+v", intent)
	}
	if !strings.Contains(strings.Join(intent.Follows, " "), "2026-11-07 00:00:00 UTC") {
		t.Errorf("the message does not state the unlock date: %q", intent.Follows)
	}
}

// Once both addresses signed one message, the payment address's key may sign alone.
func TestPaymentKeyLink(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	a, b := w.Staked(w.Anna, 5000), w.Staked(w.Anna, 6000)
	first := post(w, w.Anna, action.Unstake, a)
	r := signing(w, w.Anna, action.Unstake, first)
	r.PaymentSignature = w.Anna.SignPayment(first.Message)
	if _, err := sign(w, r); err != nil {
		t.Fatal(err)
	}
	second := post(w, w.Anna, action.Unstake, b)
	if _, err := sign(w, action.SignRequest{
		Wallet: w.Anna.Pair(), ActionID: second.ActionID, Type: action.Unstake, Signature: w.Anna.SignPayment(second.Message),
	}); err != nil {
		t.Fatal(err)
	}
	w.WantStage(b, ledger.PendingUnlock)
	// The link is valid for this pair only.
	w.NextEpoch()
	w.NextEpoch()
	mixed := action.Wallet{Ordinals: w.Anna.Ordinals.Text, Payment: w.Bert.Payment.Text}
	third, err := w.Actions.Post(t.Context(), testkit.Prefix, mixed, action.Withdraw, []string{a}, "")
	testkit.Must(t, err)
	_, err = sign(w, action.SignRequest{
		Wallet: mixed, ActionID: third.ActionID, Type: action.Withdraw, Signature: w.Bert.SignPayment(third.Message),
	})
	refused(t, err, fault.SignatureWrong, w.Anna.Ordinals.Text)
	// The signer of payouts also accepts such a proof.
	fourth := post(w, w.Anna, action.Withdraw, a, b)
	signed, err := sign(w, action.SignRequest{
		Wallet: w.Anna.Pair(), ActionID: fourth.ActionID, Type: action.Withdraw,
		Signature: w.Anna.SignPayment(fourth.Message),
	})
	testkit.Must(t, err)
	w.Pay(w.Anna, *signed.Order, signed.Order.Due())
	w.Settle(4)
	w.WantStatus(signed.Order.ID, order.Delivered)
}

func TestCancel(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	o := *w.Act(w.Anna, action.Withdraw, id).Order
	ask := func(from *testkit.Wallet) (action.Requested, error) {
		return w.Actions.PostCancel(t.Context(), testkit.Prefix, from.Pair(), o.ID, "")
	}
	cancel := func(r action.Requested, signature string) (order.Order, error) {
		return w.Actions.SignCancel(t.Context(), testkit.Prefix, action.SignRequest{
			Wallet: w.Anna.Pair(), ActionID: r.ActionID, Signature: signature,
		}, o.ID)
	}
	_, err := ask(w.Bert)
	refused(t, err, fault.OrderUnknown)
	stale, err := ask(w.Anna)
	testkit.Must(t, err)
	_, err = cancel(stale, w.Bert.Sign(stale.Message))
	refused(t, err, fault.SignatureWrong, w.Anna.Ordinals.Text)
	w.Pay(w.Anna, o, 700)
	w.Step()
	fresh, err := ask(w.Anna)
	testkit.Must(t, err)
	if !strings.Contains(fresh.Message, "700") || !strings.Contains(fresh.Message, o.ID) {
		t.Errorf("the message does not name the order and its payment: %s", fresh.Message)
	}
	second, err := ask(w.Anna)
	testkit.Must(t, err)
	for range 2 {
		canceled, err := cancel(fresh, w.Anna.Sign(fresh.Message))
		if err != nil || canceled.Status != order.Canceled && canceled.Status != order.Audit {
			t.Errorf("canceled order: got status %s, %v", canceled.Status, err)
		}
	}
	w.WantStage(id, ledger.Unlocked)
	_, err = ask(w.Anna)
	refused(t, err, fault.OrderNotCancelable)
	_, err = cancel(second, w.Anna.Sign(second.Message))
	refused(t, err, fault.OrderNotCancelable)
	// The message of a cancel is not accepted for an action, nor the other way round.
	_, err = sign(w, signing(w, w.Anna, action.Unstake, fresh))
	refused(t, err, fault.ActionOtherType, "CANCEL")
}

// Nothing changes while the server catches up, its clock is uncertain, or everything is paused.
func TestNothingChangesWhilePaused(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Staked(w.Anna, 5000)
	r := signing(w, w.Anna, action.Unstake, post(w, w.Anna, action.Unstake, id))
	behind := fault.Refuse(fault.CatchingUp)
	w.Actions.Ready = func() error { return behind }
	_, err := sign(w, r)
	refused(t, err, fault.CatchingUp)
	w.Actions.Ready = func() error { return nil }
	moment := w.Actions.Moment
	w.Actions.Moment = func() (ledger.Moment, error) { return ledger.Moment{}, errors.New("skewed") }
	_, err = sign(w, r)
	refused(t, err, fault.ClockUncertain)
	w.Actions.Moment = moment
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PauseAll, "maintenance") })
	_, err = sign(w, r)
	refused(t, err, fault.Paused)
	w.WantStage(id, ledger.Staked)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PauseAll, "") })
	if _, err = sign(w, r); err != nil {
		t.Error(err)
	}
}

func TestParseAddress(t *testing.T) {
	network, err := chain.NetworkByName("regtest")
	testkit.Must(t, err)
	_, err = action.ParseAddress("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", network)
	testkit.Must(t, err)
	_, err = action.ParseAddress("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081", network)
	refused(t, err, fault.InvalidAddress)
}
