package sim

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// Events of withdrawals of units in self-custody.
const (
	selfSent  = "an owner signed the delivery of a paid order"
	selfOwn   = "own coins delivered units in self-custody"
	selfMixed = "units of both kinds of custody are delivered together"
	selfLeft  = "nobody signed the delivery of a paid order"
	selfApart = "virtual units are refused with units in self-custody"
)

func init() {
	schedules = append(schedules,
		schedule{"an older copy finds a signed delivery", (*scenario).findSigned},
		schedule{"a compounded reward is withdrawn with a unit in self-custody", (*scenario).unlockVirtual})
}

// findSigned signs the delivery of a PAID order after a backup. A server that starts from the backup finds the delivery
// in the mempool.
func (sc *scenario) findSigned() {
	sc.Rate = amount.SatPerVB(2)
	o, from, ok := sc.newUnsigned()
	if !ok {
		return
	}
	sc.backup = ""
	sc.backUp()
	if sc.submitOwn(sc.openOwn(from, o)) {
		sc.followAndCheck()
	}
	if o = sc.Order(o.ID); o.Status != order.Sent || sc.backup == "" {
		return
	}
	stale := sc.Restored(sc.backup)
	if _, err := stale.Follower.Step(sc.Context()); err != nil {
		sc.note("  the stale server: %v", err)
	} else if got := stale.Order(o.ID); got.PayoutTx != o.PayoutTx {
		sc.Fatalf("a server from an older copy does not find the delivery of order %s, which is %s", o.ID, got.Status)
	}
	testkit.Must(sc, stale.Store.Close())
	sc.startStale()
}

// isApart reports whether one order can't have the units: virtual ones together with ones in self-custody.
func (sc *scenario) isApart(units []string) bool {
	return slices.ContainsFunc(units, sc.model.IsSelf) &&
		slices.ContainsFunc(units, func(id string) bool { return sc.Unit(id).Virtual() })
}

// orderApart orders a virtual unit together with one in self-custody, which the server must refuse, and then withdraws
// the one in self-custody.
func (sc *scenario) orderApart() {
	for _, from := range actors(sc.World) {
		var virtual, self []string
		for _, id := range sc.units(from, ledger.Unlocked) {
			if sc.Unit(id).Virtual() {
				virtual = append(virtual, id)
			} else if sc.model.IsSelf(id) {
				self = append(self, id)
			}
		}
		if len(virtual) == 0 || len(self) == 0 {
			continue
		}
		_, err := sc.Ask(from, action.Withdraw, virtual[0], self[0])
		if refused, _ := sc.refused(err); refused && errors.Is(err, fault.Refuse(fault.UnitsApart)) {
			sc.apart++
		}
		if err == nil {
			sc.Fatal("the server orders virtual units together with units in self-custody")
		}
		sc.submit(sc.prepare(from, action.Withdraw, self[:1]))
		return
	}
}

// waitSigned signs the delivery of a PAID order while payouts are paused. The signature is kept for four weeks.
func (sc *scenario) waitSigned(o order.Order, from *testkit.Wallet) {
	sc.pausePayouts()
	if sc.submitOwn(sc.openOwn(from, o)) {
		sc.pass(time.Duration(sc.between(8, 24)) * 24 * time.Hour)
		sc.followAndCheck()
	}
	sc.resume()
	sc.followAndCheck()
}

// unlockVirtual compounds a reward and unlocks it, so that orderApart has a virtual unit.
func (sc *scenario) unlockVirtual() {
	for _, from := range actors(sc.World) {
		claimable := sc.units(from, ledger.Claimable)
		if len(claimable) == 0 || !slices.ContainsFunc(sc.units(from, ledger.Unlocked), sc.model.IsSelf) {
			continue
		}
		if !sc.submit(sc.prepare(from, action.Compound, claimable[:1])) {
			return
		}
		sc.nextEpoch()
		sc.followAndCheck()
		if sc.submit(sc.prepare(from, action.Unstake, claimable[:1])) {
			sc.nextEpoch()
			sc.nextEpoch()
			sc.followAndCheck()
			sc.orderApart()
		}
		return
	}
}

// signDelivery signs the delivery of a PAID order with units in self-custody. Some owners never sign, sign late, twice,
// or another thing than what was issued.
func (sc *scenario) signDelivery() {
	o, from, ok := sc.unsignedOrder()
	if !ok || sc.oneIn(3) {
		o, from, ok = sc.newUnsigned()
	}
	if !ok {
		return
	}
	switch sc.rng.IntN(12) {
	case 0: // late, or never
		sc.pass(time.Duration(sc.between(1, 8)) * 24 * time.Hour)
		sc.followAndCheck()
		return
	case 1:
		return
	case 2:
		sc.waitSigned(o, from)
		return
	}
	own := sc.openOwn(from, o)
	if own == nil || sc.oneIn(8) { // otherwise submitOwnLate may submit it
		return
	}
	if sc.oneIn(2) {
		sc.forge(own)
	}
	accepted := sc.submitOwn(sc.answered(own))
	switch sc.rng.IntN(8) {
	case 0:
		if sc.submitOwn(own); accepted && sc.oneIn(2) {
			sc.submitOwn(sc.openOwn(from, o)) // the signed one stays
		}
	case 1:
		sc.cancelOrder(sc.Order(o.ID), from, func() {})
	case 2:
		sc.payTo(from, o, sc.sum(o))
	case 3:
		sc.recoverUnit(o, from)
	}
	if sc.oneIn(2) {
		sc.followAndCheck()
	}
}

// unsignedOrder returns a PAID order that waits for its owner's signature.
func (sc *scenario) unsignedOrder() (o order.Order, from *testkit.Wallet, ok bool) {
	ids := sc.column(`SELECT id FROM payment_order WHERE status = 'PAID' AND self_units > 0 ORDER BY number`)
	if len(ids) == 0 {
		return o, nil, false
	}
	o = sc.Order(choose(sc, ids))
	sc.note("  order %s", o.ID)
	return o, sc.ownerOf(o), true
}

// newSelfOrder orders a withdrawal of a unit in self-custody, in some cases with one in operator custody.
func (sc *scenario) newSelfOrder() (o order.Order, from *testkit.Wallet, ok bool) {
	for _, from := range actors(sc.World) {
		units := slices.DeleteFunc(sc.units(from, ledger.Unlocked), func(id string) bool {
			unit := sc.Unit(id)
			return unit.Virtual() || unit.Contested
		})
		self := slices.DeleteFunc(slices.Clone(units), func(id string) bool { return !sc.model.IsSelf(id) })
		if len(self) == 0 {
			continue
		}
		ordered := self[:1]
		if other := slices.DeleteFunc(units, sc.model.IsSelf); len(other) > 0 && sc.oneIn(3) {
			ordered = []string{other[0], self[0]}
		}
		s := sc.prepare(from, action.Withdraw, ordered)
		if !sc.submit(s) || s.orderID == "" {
			return o, from, false
		}
		sc.check()
		return sc.Order(s.orderID), from, true
	}
	return o, nil, false
}

// newUnsigned orders and pays a withdrawal of units in self-custody.
func (sc *scenario) newUnsigned() (o order.Order, from *testkit.Wallet, ok bool) {
	if o, from, ok = sc.newSelfOrder(); !ok {
		return o, from, false
	}
	sc.paying(o, from, o.Due()+amount.Sats(choose(sc, []int64{0, 0, 0, 300, 20_000})))
	sc.mineAll()
	sc.followAndCheck()
	o = sc.Order(o.ID)
	return o, from, o.NeedsSignature()
}

// leaves returns the inputs of a PSBT that a wallet signed through a leaf.
func leaves(packet *psbt.Packet) (all []*psbt.PInput) {
	for i := range packet.Inputs {
		if len(packet.Inputs[i].TaprootScriptSpendSig) > 0 {
			all = append(all, &packet.Inputs[i])
		}
	}
	return all
}

// answered returns a signed transaction as some wallets answer: in hex, without the leaf, or finalized with one
// signature. The server must accept each.
func (sc *scenario) answered(own *ownTx) *ownTx {
	packet := sc.packet(own.signed)
	switch sc.rng.IntN(6) {
	case 0:
		for _, in := range leaves(packet) {
			in.TaprootLeafScript = nil
		}
	case 1:
		for _, in := range leaves(packet) {
			signature := append(bytes.Clone(in.TaprootScriptSpendSig[0].Signature), byte(txscript.SigHashAll))
			leaf := in.TaprootLeafScript[0]
			in.FinalScriptWitness = witnessBytes(wire.TxWitness{signature, leaf.Script, leaf.ControlBlock})
			in.TaprootScriptSpendSig, in.TaprootLeafScript = nil, nil
		}
	case 2:
		var raw bytes.Buffer
		testkit.Must(sc, packet.Serialize(&raw))
		return own.with(hex.EncodeToString(raw.Bytes()))
	}
	text, err := packet.B64Encode()
	testkit.Must(sc, err)
	return own.with(text)
}

func (own *ownTx) with(signed string) *ownTx {
	copied := *own
	copied.signed = signed
	return &copied
}

func witnessBytes(witness wire.TxWitness) []byte {
	var buffer bytes.Buffer
	_ = psbt.WriteTxWitness(&buffer, witness)
	return buffer.Bytes()
}

// forge submits signatures that the server must refuse: with another type of hash, by another key, damaged, or of
// another order's transaction.
func (sc *scenario) forge(own *ownTx) {
	before := sc.head()
	stranger := sc.stranger(own.from)
	refuse := func(what string, change func(packet *psbt.Packet)) {
		packet := sc.packet(own.signed)
		change(packet)
		text, err := packet.B64Encode()
		testkit.Must(sc, err)
		if sc.submitOwn(own.with(text)) {
			sc.Fatalf("the server accepts only its owner's signature of a delivery: order %s, %s", own.orderID, what)
		}
	}
	hashes := []txscript.SigHashType{0x81, 0x82, 0x02, 0x03, 0x83}
	if tx := sc.packet(own.signed).UnsignedTx; len(tx.TxIn) > len(tx.TxOut) { // an input may have no output to sign
		hashes = hashes[:3]
	}
	for _, sighash := range hashes {
		refuse("another type of hash", func(packet *psbt.Packet) { own.from.SignLeavesAs(packet, sighash) })
	}
	refuse("a stranger's key", func(packet *psbt.Packet) { stranger.SignLeavesAs(packet, txscript.SigHashAll) })
	refuse("a stranger's signature", func(packet *psbt.Packet) {
		stranger.SignLeavesAs(packet, txscript.SigHashAll)
		for _, in := range leaves(packet) {
			in.TaprootScriptSpendSig[0].XOnlyPubKey = own.from.Request(0).OrdinalsKey
		}
	})
	refuse("a damaged signature", func(packet *psbt.Packet) {
		for _, in := range leaves(packet) {
			in.TaprootScriptSpendSig[0].Signature[schnorr.SignatureSize-1] ^= 1
		}
	})
	for _, other := range sc.owns[max(0, len(sc.owns)-4):] {
		if other.orderID != own.orderID {
			refuse("another order's transaction", func(packet *psbt.Packet) { *packet = *sc.packet(other.signed) })
		}
	}
	sc.unchanged(before)
}
