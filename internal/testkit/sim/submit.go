package sim

import (
	"fmt"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/sim/model"
)

// signing is a signed message and its result.
type signing struct {
	from         *testkit.Wallet
	kind         action.Type
	units        []string
	text         string // the message
	epochs       int64  // of an AUTO_COMPOUND
	request      action.SignRequest
	acknowledged bool   // the owner received a success
	uncertain    bool   // the response was lost: the message may have had its effect
	effective    bool   // its effect is recorded in the model
	orderID      string // id of the order that it created
}

// prepare requests an action and signs its message.
func (sc *scenario) prepare(from *testkit.Wallet, kind action.Type, units []string) (s *signing) {
	s = sc.request(from, kind, func() (action.Requested, error) { return sc.post(from, kind, units) })
	if s == nil {
		return nil
	}
	if kind == action.Withdraw && sc.isApart(units) {
		sc.Fatal("the server orders virtual units together with units in self-custody")
	}
	if s.units = units; len(units) == 0 { // without unit ids the server uses all claimable units
		// sc.tables is older if a running step has just settled an epoch.
		s.units = sc.column(fmt.Sprintf(`SELECT id FROM unit WHERE community = '%s' AND owner = '%s' AND stage = '%s'`,
			testkit.Prefix, from.Ordinals.Text, ledger.Claimable))
	}
	return s
}

// request requests an action and signs its message. It returns nil if the server refused or crashed.
func (sc *scenario) request(
	from *testkit.Wallet, kind action.Type, post func() (action.Requested, error),
) *signing {
	var requested action.Requested
	var err error
	if sc.guarded(func() { requested, err = post() }) {
		sc.restart()
		return nil
	}
	if err != nil {
		sc.refused(err)
		return nil
	}
	s := &signing{from: from, kind: kind, text: requested.Message, request: action.SignRequest{
		Wallet: from.Pair(), ActionID: requested.ActionID, Type: kind, Signature: from.Sign(requested.Message),
	}}
	sc.signings = append(sc.signings, s)
	return s
}

// submit submits a signed message. After a lost response, signLate submits it again.
func (sc *scenario) submit(s *signing) (done bool) {
	if s == nil {
		return false
	}
	var signed action.Signed
	var err error
	if sc.guarded(func() { signed, err = sc.Actions.Sign(sc.Context(), testkit.Prefix, s.request) }) {
		sc.uncertain(s)
		sc.restart()
		return false
	}
	if err != nil {
		refused, unknown := sc.refused(err)
		if refused && s.acknowledged && !sc.paused() {
			sc.Fatalf("%s was acknowledged and is now refused: %v", s.kind, err)
		}
		if unknown {
			sc.uncertain(s)
		}
		return false
	}
	if !signed.Applied {
		sc.Fatalf("a signed %s has neither an effect nor an error", s.kind)
	}
	id := ""
	if signed.Order != nil {
		id = signed.Order.ID
		sc.note("  order %s", id)
		sc.check() // so that the model has the order
		sc.require(sc.model.SignedFrom(id, s.from.Payment.Text))
	}
	if s.acknowledged && id != s.orderID {
		sc.Fatalf("%s created the order %q and now returns %q", s.kind, s.orderID, id)
	}
	if !s.acknowledged {
		s.acknowledged, s.orderID = true, id
		if s.uncertain { // the effect may have happened before, and later actions may have followed
			sc.model.Acknowledged(s.request.ActionID, "", nil)
		} else {
			sc.model.Acknowledged(s.request.ActionID, model.Intent(s.kind), s.units)
		}
		sc.acted(s)
	}
	return true
}

// uncertain records that the response to a signed message was lost.
func (sc *scenario) uncertain(s *signing) {
	s.uncertain = true
	sc.model.Uncertain(s.units)
	if used := sc.column(`SELECT id FROM action WHERE used_at <> 0 AND id = '` + s.request.ActionID + `'`); len(used) > 0 {
		sc.acted(s)
	}
}

// acted records in the model, once per message, that a signed message has its effect at the current time.
func (sc *scenario) acted(s *signing) {
	if now, err := sc.moment(); err == nil && !s.effective {
		s.effective = true
		sc.model.Acted(model.Intent(s.kind), s.units, now.Chain)
		sc.instructed(s)
	}
}
