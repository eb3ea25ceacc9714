package e2e

import (
	"os"
	"path/filepath"
	"time"
)

// guideEpoch is the epoch length of the rehearsal, as short as a busy machine allows.
const guideEpoch = 4 * time.Second

func (r *rehearsal) steps() map[string]step {
	type before = map[string]func()
	type prints = map[string]string
	return map[string]step{
		"setup": {after: r.settingsSuffice},
		"key":   {prints: prints{"moonfund key check": "tpub"}},
		"init": {before: before{"moonfund init": r.beforeInit}, prints: prints{"moonfund init": "runes go to"},
			after: r.oneLedger},
		"serve":  {after: r.onlyOne},
		"doctor": {after: r.reload},
		"treasury": {
			before: before{"moonfund treasury credit": r.fundTreasury},
			prints: prints{"moonfund treasury credit": "Booked 6 outputs"},
			after:  r.keyHasHistory,
		},
		"manifest": {prints: prints{"moonfund manifest check": " found "}},
		"holdings": {prints: prints{"moonfund treasury show": "runes go to"}},
		"epochs": {
			before: before{"moonfund epoch list": r.threeEpochs},
			prints: prints{"moonfund epoch list": "yes", "moonfund audit": "no violation"},
			after:  r.statementsVerify,
		},
		"orders": {
			before: before{"moonfund order list --refund-due": r.ordersToRefund, "moonfund order refund": r.oneBlock},
			prints: prints{"moonfund order list --refund-due": "CANCELED", "moonfund order review": "is carried out",
				"moonfund order refund": "is carried out"},
			after: func() { r.goesOnTo(r.orders["paid"], "CANCELED") },
		},
		"find": {prints: prints{"moonfund find ADDRESS": "Payments are refunded", "moonfund unit": "UNLOCKED"}},
		"payouts": {
			before: before{"moonfund payout list": r.stuckPayout},
			prints: prints{"moonfund payout bump": "is carried out", "moonfund payout list": "delivery"},
			after:  func() { r.goesOnTo(r.orders["stuck"], "DELIVERED") },
		},
		"quarantine": {
			before: before{"moonfund quarantine list": r.smallDeposit},
			prints: prints{"moonfund quarantine list": "below the minimum stake",
				"moonfund quarantine return": "is carried out"},
		},
		"pause": {prints: prints{"moonfund resume": "Resumed"}, after: r.wasNotified},
		"backup": {before: before{"moonfund backup": r.lastOrder}, prints: prints{"moonfund backup": "moonfund.key"},
			after: r.findsBackup},
		"restore": {before: before{"moonfund restore": r.diskDies, "moonfund audit": r.follows}, prints: r.kept(),
			after: r.restored},
		"rebuild": {before: before{"moonfund rebuild": r.devServer.stop, "moonfund audit": r.follows}, prints: r.kept(),
			after: r.wantsRewards},
	}
}

func (r *rehearsal) kept() map[string]string {
	return map[string]string{"moonfund audit": "no violation", "moonfund resume": "Resumed: all",
		"moonfund rebuild": "were no longer watched"}
}

// beforeInit makes the manifest fit epochs of a few seconds.
func (r *rehearsal) beforeInit() {
	r.editManifest()
	r.noLedgerYet()
}

// noLedgerYet checks that a server does not create a ledger, and leaves no file in a wrong folder.
func (r *rehearsal) noLedgerYet() {
	r.refused("there is no ledger in the data folder", "moonfund serve")
	if left, err := os.ReadDir(os.Getenv("MOONFUND_DATA")); err != nil || len(left) > 0 {
		r.t.Errorf("the data folder contains %v: %v", left, err)
	}
	r.refused("there is no ledger in the data folder", `moonfund serve --data "$MOONFUND_DATA-unmounted"`)
	if _, err := os.Stat(os.Getenv("MOONFUND_DATA") + "-unmounted"); !os.IsNotExist(err) {
		r.t.Errorf("the server created the data folder: %v", err)
	}
}

// oneLedger checks that no second ledger can be created for the same key, in the same folder or another.
func (r *rehearsal) oneLedger() {
	r.refused("there is a ledger already", "moonfund init")
	r.refused("high-water mark belongs to the ledger", `moonfund init --data "$MOONFUND_DATA-unmounted"`)
	r.refused("there is no ledger in the data folder",
		`moonfund serve --data "$MOONFUND_DATA-unmounted" --listen 127.0.0.1:0`)
}

// keyHasHistory checks that a key without its high-water mark is recognized by the history of its treasury addresses.
func (r *rehearsal) keyHasHistory() {
	r.shell(`cp "$MOONFUND_KEY" "$MOONFUND_KEY-copy"`)
	for _, scan := range []string{"auto", "blocks"} {
		r.refused("received the output", `moonfund init --key "$MOONFUND_KEY-copy" --data "$MOONFUND_DATA-unmounted" --scan `+
			scan)
	}
}

// onlyOne checks that no second process can use the ledger of a running server.
func (r *rehearsal) onlyOne() {
	r.refused("another server works on", "moonfund serve --listen 127.0.0.1:0")
	r.refused("another server works on", `moonfund rebuild --from-chain --why "while it runs"`)
}

// fundTreasury sends runes and sats to the addresses that `treasury show` prints.
func (r *rehearsal) fundTreasury() {
	var treasury struct {
		Runes string `json:"runes_address"`
		Sats  string `json:"sats_address"`
	}
	r.readJSON(&treasury, "treasury", "show", prefix)
	for range 4 {
		r.network.dev("faucet", fields{"address": treasury.Runes, "runes": int64(100_000) * lobo, "prefix": prefix}, nil)
	}
	for range 2 {
		r.network.dev("faucet", fields{"address": treasury.Sats, "sats": 100_000}, nil)
	}
	r.network.mine(3)
	var arrived struct{ Unbooked []struct{ Height int64 } }
	await(r.t, patience, "the deposits arrived", func() bool {
		r.readJSON(&arrived, "treasury", "show", prefix)
		return len(arrived.Unbooked) == 6 && arrived.Unbooked[0].Height > 0 && arrived.Unbooked[5].Height > 0
	})
}

// threeEpochs runs three epochs with a staker who earns rewards and unstakes after the first one.
func (r *rehearsal) threeEpochs() {
	r.erin = newStaker(r.devServer.site, "erin", segwit, taproot)
	for range 6 {
		r.erin.endow(10 * lobo)
	}
	r.network.mine(1)
	for range 5 {
		r.held = append(r.held, r.erin.stake(10*lobo).ID)
	}
	r.mineUntil("all is staked", func() bool { return len(r.erin.in("STAKED")) == 5 })
	rewarded := func() (n int) {
		var epochs []struct {
			Settled  bool
			Rewarded string
		}
		r.readJSON(&epochs, "epoch", "list", prefix)
		for _, e := range epochs {
			if e.Settled && e.Rewarded != "0" {
				n++
			}
		}
		return n
	}
	r.mineUntil("an epoch rewards her", func() bool { return rewarded() > 0 })
	r.erin.act("UNSTAKE", r.held[:4]...)
	r.mineUntil("three epochs reward her", func() bool { return rewarded() >= 3 && len(r.erin.in("UNLOCKED")) == 4 })
	r.follows()
}

// ordersToRefund creates an order that is paid in full, and an order that is paid in half and canceled. The payments
// are unconfirmed.
func (r *rehearsal) ordersToRefund() {
	for i, name := range []string{"paid", "half paid"} {
		o := *r.erin.act("WITHDRAW", r.held[i])
		r.erin.pay(o, o.Total/int64(i+1))
		r.erin.awaitStatus(o.ID, "CONFIRMED")
		r.orders[name] = o
	}
	if closed := r.erin.cancel(r.orders["half paid"]); closed.Status != "CANCELED" {
		r.t.Fatalf("canceled: %+v", closed)
	}
	r.words["ORDER"], r.words["ADDRESS"] = r.orders["paid"].ID, r.erin.payment.text
}

// oneBlock mines a block and waits for the server.
func (r *rehearsal) oneBlock() {
	r.network.mine(1)
	r.follows()
}

// stuckPayout creates a payout with a low fee rate and restarts the server with a higher minimum rate.
func (r *rehearsal) stuckPayout() {
	o := *r.erin.act("WITHDRAW", r.held[2])
	r.erin.pay(o, o.Total)
	r.network.mine(1)
	sent := r.erin.awaitStatus(o.ID, "SENT")
	r.devServer.stop()
	r.t.Setenv("MOONFUND_FLOOR", "20")
	r.devServer.run("serve")
	r.follows()
	r.orders["stuck"], r.words["PAYOUT"] = o, *sent.PayoutTx
}

// smallDeposit sends less than the minimum stake to a stake address, and waits until the output is in quarantine.
func (r *rehearsal) smallDeposit() {
	var target stakeTarget
	r.erin.post("postDemoStake", r.erin.stakeRequest(10*lobo), &target)
	r.words["OUTPUT"] = r.erin.broadcast(r.erin.transferRunes(r.t, r.erin.rune, 1, target.Address,
		r.erin.coins(r.erin.ordinals), r.erin.coins(r.erin.payment))) + ":0"
	r.network.mine(3)
	var held []struct {
		OutPoint string
		Height   int64
	}
	await(r.t, patience, "the deposit is in quarantine", func() bool {
		r.readJSON(&held, "quarantine", "list")
		return len(held) == 1 && held[0].OutPoint == r.words["OUTPUT"] && held[0].Height > 0
	})
	r.follows()
}

// lastOrder creates an order that is unpaid at the time of the backup.
func (r *rehearsal) lastOrder() {
	r.orders["last"] = *r.erin.act("WITHDRAW", r.held[3])
	if made, err := filepath.Glob(filepath.Join(os.Getenv("MOONFUND_BACKUPS"), "moonfund-2*.zip")); err != nil ||
		len(made) == 0 {
		r.t.Errorf("the server made no automatic backup: %v", err)
	}
}

// findsBackup makes the file that the command wrote the FILE of the restore.
func (r *rehearsal) findsBackup() {
	made, err := filepath.Glob(filepath.Join(os.Getenv("MOONFUND_BACKUPS"), "by-hand-*.zip"))
	must(r.t, err)
	if len(made) != 1 {
		r.t.Fatalf("the backups by hand are %v", made)
	}
	r.words["FILE"] = made[0]
}

// diskDies deletes the data folder after the last order was paid and delivered. The backup does not contain the
// delivery.
func (r *rehearsal) diskDies() {
	o := r.orders["last"]
	r.erin.pay(o, o.Total)
	r.goesOnTo(o, "DELIVERED")
	r.orders["last"] = r.erin.order(o.ID)
	r.devServer.kill()
	must(r.t, os.RemoveAll(os.Getenv("MOONFUND_DATA")))
}

// restored checks that the restored server does not deliver the last order again, and that it publishes statements that
// follow those of the backup.
func (r *rehearsal) restored() {
	before := r.erin.balance()
	o := r.orders["last"]
	r.goesOnTo(o, "DELIVERED")
	if got := *r.erin.order(o.ID).PayoutTx; got != *o.PayoutTx {
		r.t.Errorf("the restored server has the payout %s, want %s", got, *o.PayoutTx)
	}
	if got := r.erin.balance(); got != before {
		r.t.Errorf("erin has %d base units after the restore, want %d", got, before)
	}
	first := r.statement()
	r.mineUntil("the restored server publishes a statement", func() bool { return r.statement() > first })
	r.statementsVerify()
}

// wantsRewards claims all rewards from the restored and rebuilt server.
func (r *rehearsal) wantsRewards() {
	before := r.erin.balance()
	o := *r.erin.act("CLAIM")
	r.erin.pay(o, o.Total)
	r.goesOnTo(o, "DELIVERED")
	if got := r.erin.balance() - before; got != units(r.t, o.Amount) || got < 3*9_000*lobo {
		r.t.Errorf("the claim delivered %d base units, want %s", got, o.Amount)
	}
	r.shell("moonfund audit")
}
