package signing

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"moonfund/internal/epoch"
	"moonfund/internal/signer"
	"moonfund/internal/testkit"
)

// signingMachine is a machine with a signer, whose clock jumps.
type signingMachine struct {
	*testing.T
	truth time.Time
	off   time.Duration // offset of the machine's clock
	block time.Time     // time of the newest block
	kept  []signer.Outflow
	pause signer.PauseFile
	clock *processClock
}

func newSigningMachine(t *testing.T) *signingMachine {
	m := &signingMachine{T: t, truth: testkit.Genesis, block: testkit.Genesis, pause: PauseFile(t.TempDir())}
	m.start()
	return m
}

// start starts the signer, as a restart does.
func (m *signingMachine) start() {
	m.clock = &processClock{
		time: epoch.NewClock(func() time.Time {
			return m.truth.Add(m.off)
		}, func() time.Duration { return m.truth.Sub(testkit.Genesis) }),
		newest: func() (time.Time, bool) { return m.block, true }, pause: m.pause, log: slog.New(slog.DiscardHandler),
	}
	m.clock.observe(m.kept)
}

// passes advances the time and mines a block.
func (m *signingMachine) passes(d time.Duration) {
	m.truth = m.truth.Add(d)
	m.block = m.truth
}

// wantTrusted runs the process's check of the clock, and fails the test unless the result is as wanted.
func (m *signingMachine) wantTrusted(trusted bool) {
	m.Helper()
	now, err := m.clock.now()
	if (err == nil) != trusted {
		m.Fatalf("at %s, with the machine's clock %s off: %s, %v", m.truth, m.off, now, err)
	}
	if trusted && now.Sub(m.truth).Abs() > maxBehind {
		m.Fatalf("trusted at %s: %s", m.truth, now)
	}
	testkit.Must(m, m.clock.check())
}

func (m *signingMachine) wantPause(want string) {
	m.Helper()
	why, err := m.pause.Why()
	testkit.Must(m, err)
	if (want == "") != (why == "") || !strings.Contains(why, want) {
		m.Fatalf("the pause is %q, want %q", why, want)
	}
}

// TestSignersClockJumps checks that no jump of the machine's clock shortens the 24 hours of the limits. Nothing is
// signed while the clock is off, and a lasting doubt pauses the signer until an operator resumes it.
func TestSignersClockJumps(t *testing.T) {
	for _, jump := range []time.Duration{6 * time.Second, -6 * time.Second, time.Hour, -time.Hour, 24 * time.Hour,
		-24 * time.Hour, 8 * 24 * time.Hour} {
		m := newSigningMachine(t)
		m.wantTrusted(true)
		m.passes(10 * time.Minute)
		m.wantTrusted(true)
		m.off = jump
		m.wantTrusted(false)
		m.passes(30 * time.Second)
		m.off = 0 // corrected in time
		m.wantTrusted(true)
		m.wantPause("")
		m.off = jump
		m.wantTrusted(false)
		m.passes(2 * maxDoubt)
		m.wantTrusted(false)
		m.wantPause("clock: ")
		m.off = 0
		m.wantTrusted(true)
		m.wantPause("clock: ") // until an operator resumes
	}
}

// TestSignersClockIsAccepted checks that a resume by an operator accepts the machine's clock unless the chain
// contradicts it.
func TestSignersClockIsAccepted(t *testing.T) {
	m := newSigningMachine(t)
	m.wantTrusted(true)
	m.off = time.Hour
	m.wantTrusted(false)
	m.passes(2 * maxDoubt)
	m.wantTrusted(false)
	m.wantPause("clock: ")
	lines, err := m.pause.Record()
	if err != nil || len(lines) != 1 || lines[0].By != ClockName || lines[0].Why == "" {
		t.Errorf("the pause record is %+v, error %v", lines, err)
	}
	_, err = m.pause.Lift("anna", "the clock is right", m.truth)
	testkit.Must(t, err)
	testkit.Must(t, m.clock.check())
	m.wantTrusted(true)
	m.wantPause("")
}

// TestSignerStartsWithAWrongClock checks that a restarted signer does not trust a clock that is far from the newest
// block, or behind the last signature.
func TestSignerStartsWithAWrongClock(t *testing.T) {
	for _, off := range []time.Duration{7 * time.Hour, 25 * time.Hour, 8 * 24 * time.Hour, -3 * time.Hour,
		-25 * time.Hour} {
		m := newSigningMachine(t)
		m.off = off
		m.start()
		m.wantTrusted(false)
		m.off = 0
		m.start()
		m.wantTrusted(true)
	}
	m := newSigningMachine(t)
	m.passes(time.Hour)
	m.kept = []signer.Outflow{{At: m.truth}, {At: m.truth.Add(-time.Minute)}}
	m.off = -10 * time.Minute
	m.start()
	m.wantTrusted(false)
	m.passes(2 * maxDoubt)
	m.wantTrusted(false)
	m.wantPause("what was last signed")
	m.start()
	m.wantTrusted(false)
	_, err := m.pause.Lift("anna", "the clock is right", m.truth)
	testkit.Must(t, err)
	testkit.Must(t, m.clock.check())
	m.wantTrusted(true) // resuming accepts the clock, also after a restart
}
