package signing

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"moonfund/epoch"
	"moonfund/signer"
	"moonfund/testkit"
)

// signingMachine is a machine with a signer on it, whose clock jumps.
type signingMachine struct {
	*testing.T
	truth time.Time
	off   time.Duration // of the machine's clock
	block time.Time     // the newest one
	kept  []signer.Outflow
	pause signer.PauseFile
	clock *processClock
}

func newSigningMachine(t *testing.T) *signingMachine {
	m := &signingMachine{T: t, truth: testkit.Genesis, block: testkit.Genesis, pause: PauseFile(t.TempDir())}
	m.start()
	return m
}

// start starts the signer, as after a restart.
func (m *signingMachine) start() {
	m.clock = &processClock{
		time: epoch.NewClock(func() time.Time {
			return m.truth.Add(m.off)
		}, func() time.Duration { return m.truth.Sub(testkit.Genesis) }),
		newest: func() (time.Time, bool) { return m.block, true }, pause: m.pause, log: slog.New(slog.DiscardHandler),
	}
	m.clock.observe(m.kept)
}

// passes lets time go by, with a block at its end.
func (m *signingMachine) passes(d time.Duration) {
	m.truth = m.truth.Add(d)
	m.block = m.truth
}

// looks wants the clock to be trusted, or not, and looks at it as the process does.
func (m *signingMachine) looks(trusted bool) {
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

// No jump of the machine's clock lets 24 hours pass: nothing is signed while it is
// off, and what lasts pauses the signer until a person resumes it.
func TestSignersClockJumps(t *testing.T) {
	for _, jump := range []time.Duration{6 * time.Second, -6 * time.Second, time.Hour, -time.Hour, 24 * time.Hour,
		-24 * time.Hour, 8 * 24 * time.Hour} {
		m := newSigningMachine(t)
		m.looks(true)
		m.passes(10 * time.Minute)
		m.looks(true)
		m.off = jump
		m.looks(false)
		m.passes(30 * time.Second)
		m.off = 0 // it was corrected in time
		m.looks(true)
		m.wantPause("")
		m.off = jump
		m.looks(false)
		m.passes(2 * maxDoubt)
		m.looks(false)
		m.wantPause("clock: ")
		m.off = 0
		m.looks(true)
		m.wantPause("clock: ") // until a person ends it
	}
}

// What a person resumes is taken for right, if the chain does not say otherwise.
func TestSignersClockIsAccepted(t *testing.T) {
	m := newSigningMachine(t)
	m.looks(true)
	m.off = time.Hour
	m.looks(false)
	m.passes(2 * maxDoubt)
	m.looks(false)
	m.wantPause("clock: ")
	lines, err := m.pause.Record()
	if err != nil || len(lines) != 1 || lines[0].By != ClockName || lines[0].Why == "" {
		t.Errorf("the record is %+v, %v", lines, err)
	}
	_, err = m.pause.Lift("anna", "the clock is right", m.truth)
	testkit.Must(t, err)
	testkit.Must(t, m.clock.check())
	m.looks(true)
	m.wantPause("")
}

// A restart takes no clock that is far from the newest block, or behind what was signed.
func TestSignerStartsWithAWrongClock(t *testing.T) {
	for _, off := range []time.Duration{7 * time.Hour, 25 * time.Hour, 8 * 24 * time.Hour, -3 * time.Hour,
		-25 * time.Hour} {
		m := newSigningMachine(t)
		m.off = off
		m.start()
		m.looks(false)
		m.off = 0
		m.start()
		m.looks(true)
	}
	m := newSigningMachine(t)
	m.passes(time.Hour)
	m.kept = []signer.Outflow{{At: m.truth}, {At: m.truth.Add(-time.Minute)}}
	m.off = -10 * time.Minute
	m.start()
	m.looks(false)
	m.passes(2 * maxDoubt)
	m.looks(false)
	m.wantPause("what was last signed")
	m.start()
	m.looks(false)
	_, err := m.pause.Lift("anna", "the clock is right", m.truth)
	testkit.Must(t, err)
	testkit.Must(t, m.clock.check())
	m.looks(true) // a person says so, also after a restart
}
