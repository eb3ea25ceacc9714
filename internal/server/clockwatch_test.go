package server

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"moonfund/internal/epoch"
	"moonfund/internal/fault"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/server/clock"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// jumpy is a server on a machine whose clock jumps.
type jumpy struct {
	*testkit.World
	server *Server
	watch  clockWatch
	off    time.Duration // offset of the machine's clock
}

func newJumpy(t *testing.T) *jumpy {
	t.Helper()
	engine.Use(t, engine.SQLite) // tests can't set the clock of a shared database, which is compared too
	j := &jumpy{World: testkit.NewWorld(t)}
	own := clock.On(epoch.NewClock(
		func() time.Time {
			return j.Clock.Now().Add(j.off)
		}, func() time.Duration { return j.Clock.Now().Sub(testkit.Genesis) },
	))
	j.server = &Server{Config: Config{Store: j.Store, Clock: own, Log: slog.New(slog.DiscardHandler)}}
	j.server.lead.lease = j.Store.Lease()
	testkit.Must(t, j.server.Seize(t.Context()))
	j.ReadClock, j.Actions.Ready = own.Moment, func() error { return nil }
	j.watch.Server = j.server
	return j
}

// refuses reports whether an action was refused because of the clock.
func (j *jumpy) refuses(err error) bool {
	var refusal *fault.Error
	return errors.As(err, &refusal) && refusal.Message == fault.Refuse(fault.ClockUncertain).Message
}

// stepStopped runs one step of the follower and reports whether the clock stopped the step.
func (j *jumpy) stepStopped() (stopped bool) {
	_, err := j.Follower.Step(j.Context())
	skew := new(epoch.Skew)
	if stopped = errors.As(err, &skew); !stopped {
		testkit.Must(j, err)
	}
	return stopped
}

func (j *jumpy) checkClock() {
	j.Helper()
	testkit.Must(j, j.watch.check(j.Context()))
}

func (j *jumpy) pausedAll() (reason string) {
	j.Update(func(tx *store.Tx) (err error) {
		reason, err = tx.PausedAll(j.Context())
		return err
	})
	return reason
}

// The machine's clock jumps a minute before an epoch ends, while an order can be paid for another ten minutes and a
// unit cools down. Whether the server accepts the jump (a few seconds) or refuses every decision: no epoch ends, no
// order expires, and no unit unlocks.
func TestClockJumps(t *testing.T) {
	for _, jump := range []time.Duration{
		time.Second, -time.Second, 4 * time.Second, -4 * time.Second, 6 * time.Second, -6 * time.Second, 2 * time.Minute,
		-2 * time.Minute,
		time.Hour, -time.Hour, 24 * time.Hour, -24 * time.Hour, 8 * 24 * time.Hour, -8 * 24 * time.Hour,
	} {
		t.Run(jump.String(), func(t *testing.T) {
			j := newJumpy(t)
			ready := j.Unlocked(j.Anna, 5000)
			cooling := j.Staked(j.Anna, 6000)
			j.Act(j.Anna, action.Unstake, cooling)
			j.NextEpoch()
			at := j.Clock.Now()
			j.Clock.Set(testkit.Genesis.Add(at.Sub(testkit.Genesis).Truncate(testkit.EpochLength) +
				testkit.EpochLength - 20*time.Minute))
			o := *j.Act(j.Anna, action.Withdraw, ready).Order
			j.Clock.Advance(19 * time.Minute)
			j.Step()
			before := j.Dump()
			j.off = jump
			refused := jump.Abs() > epoch.Tolerance
			if stopped := j.stepStopped(); stopped != refused {
				t.Fatalf("the clock stopped the step: %t", stopped)
			}
			if _, err := j.TryAct(j.Anna, action.Restake, cooling); j.refuses(err) != refused {
				t.Fatalf("error of an action: got %v", err)
			}
			if refused {
				if err := j.server.ready(); !j.refuses(err) {
					t.Errorf("error of ready: got %v, want a refusal", err)
				}
			}
			j.WantStage(cooling, ledger.PendingUnlock)
			j.WantStatus(o.ID, order.Pending)
			if after := j.Dump(); after != before {
				t.Errorf("the ledger changed:\n%s\nbefore:\n%s", after, before)
			}
			j.off = 0
			if j.stepStopped() {
				t.Error("the clock is correct again but not trusted")
			}
			j.Clock.Advance(time.Minute)
			j.Node.Mine()
			j.Step()
			j.WantStage(cooling, ledger.Unlocked)
			j.Clock.Advance(order.FeeValid)
			j.Step()
			j.WantStatus(o.ID, order.Expired)
		})
	}
}

// A lasting doubt pauses everything, also across a restart. When an operator resumes, the present clock is accepted,
// and deadlines are moved by the jump.
func TestClockIsPausedAndAccepted(t *testing.T) {
	for _, jump := range []time.Duration{6 * time.Second, -6 * time.Second, 8 * 24 * time.Hour, -8 * 24 * time.Hour} {
		t.Run(jump.String(), func(t *testing.T) {
			j := newJumpy(t)
			id := j.Unlocked(j.Anna, 5000)
			o := *j.Act(j.Anna, action.Withdraw, id).Order
			j.off = jump
			j.checkClock()
			j.Clock.Advance(maxDoubt - time.Second)
			if j.checkClock(); j.pausedAll() != "" {
				t.Fatal("paused too early")
			}
			j.Clock.Advance(time.Second)
			j.checkClock()
			if reason := j.pausedAll(); !strings.HasPrefix(reason, "clock: the system's clock is ") {
				t.Fatalf("paused: %q", reason)
			}
			j.Clock.Advance(time.Hour)
			j.checkClock()
			j.Update(func(tx *store.Tx) error {
				_, err := tx.Resume(t.Context(), store.PauseAll, ledger.Cause{Kind: "operator", ID: "it is right",
					At: j.Clock.Now().Add(j.off)})
				return err
			})
			j.checkClock()
			if j.stepStopped() {
				t.Fatal("the clock is not accepted")
			}
			if now := j.server.now(); !now.Equal(j.Clock.Now().Add(jump)) {
				t.Errorf("the time is %s, want %s", now, j.Clock.Now().Add(jump))
			}
			if jump > 0 {
				j.WantStatus(o.ID, order.Pending)
			}
			if j.pausedAll() != "" || j.server.Clock.Off() != 0 {
				t.Error("still in doubt")
			}
		})
	}
}

// The runbook of an uncertain clock, until a payout is delivered again: the machine's clock is off for more than a
// minute. It is corrected, or it was wrong before and is right now.
func TestRunbookOfAnUncertainClock(t *testing.T) {
	for name, corrected := range map[string]bool{"the clock was set": true, "the clock is right": false} {
		t.Run(name, func(t *testing.T) {
			j := newJumpy(t)
			o := *j.Act(j.Anna, action.Withdraw, j.Unlocked(j.Anna, 5000)).Order
			j.off = time.Hour
			j.Pay(j.Anna, o, o.Due())
			j.Mine(1)
			if j.checkClock(); !j.stepStopped() {
				t.Fatal("the server decides with an uncertain clock")
			}
			j.Clock.Advance(maxDoubt)
			if j.checkClock(); j.pausedAll() == "" {
				t.Fatal("a lasting doubt pauses nothing")
			}
			if corrected {
				j.off = 0
				j.checkClock()
			}
			resume := decisions.Resume(decisions.Author{By: "olga", Why: name}, "all")
			j.Update(func(tx *store.Tx) error {
				_, err := resume.Apply(t.Context(), tx, j.Clock.Now().Add(j.off), "")
				return err
			})
			j.checkClock()
			j.Settle(4)
			j.WantStatus(o.ID, order.Delivered)
		})
	}
}

// A clock that is correct again within maxDoubt causes no pause.
func TestClockRecovers(t *testing.T) {
	j := newJumpy(t)
	j.checkClock()
	j.off = time.Hour
	j.checkClock()
	if off := j.server.Clock.Off(); off != time.Hour {
		t.Errorf("clock off: got %s, want 1h", off)
	}
	j.Clock.Advance(maxDoubt / 2)
	j.off = 0
	j.checkClock()
	j.Clock.Advance(maxDoubt)
	if j.checkClock(); j.pausedAll() != "" || j.server.Clock.Off() != 0 {
		t.Errorf("got the pause %q and a clock off by %s", j.pausedAll(), j.server.Clock.Off())
	}
}

// A server whose clock is behind the ledger's last change refuses decisions until the clock is set.
func TestClockBehindTheLedger(t *testing.T) {
	j := newJumpy(t)
	j.Unlocked(j.Anna, 5000)
	j.off = -8 * 24 * time.Hour
	j.Update(func(tx *store.Tx) error { return j.server.Clock.Load(t.Context(), tx, nil) })
	if !j.stepStopped() {
		t.Fatal("a clock behind the ledger is trusted")
	}
	j.off = 0
	if j.stepStopped() {
		t.Fatal("a clock that was set is not trusted")
	}
}

// On a shared database the clock is compared with the database's clock. While they differ, decisions are refused.
func TestClockOfTheDatabase(t *testing.T) {
	db, err := store.Open(t.Context(), testkit.NewDatabase(t))
	testkit.Must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	off := time.Minute
	own := clock.On(epoch.NewClock(func() time.Time { return time.Now().Add(off) }, epoch.SinceBoot))
	s := &Server{Config: Config{Store: db, Clock: own, Log: slog.New(slog.DiscardHandler)}}
	s.lead.lease = db.Lease()
	watch := clockWatch{Server: s}
	testkit.Must(t, watch.check(t.Context()))
	skew := new(epoch.Skew)
	if _, err := own.Moment(); !errors.As(err, &skew) || skew.Than != epoch.Database ||
		(skew.Off-off).Abs() > 2*time.Second {
		t.Fatalf("a minute ahead of the database: %v", err)
	}
	off = 0
	own.System().Accept()
	testkit.Must(t, watch.check(t.Context()))
	if _, err := own.Moment(); err != nil {
		t.Errorf("in agreement with the database: %v", err)
	}
}
