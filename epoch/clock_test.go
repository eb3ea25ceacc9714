package epoch

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"
)

// machine is a computer whose clock can be put wrong.
type machine struct {
	truth time.Time
	off   time.Duration // of its clock
}

func (m *machine) clock() *Clock {
	began := m.truth
	return NewClock(func() time.Time { return m.truth.Add(m.off) }, func() time.Duration { return m.truth.Sub(began) })
}

func newMachine() *machine { return &machine{truth: time.Date(2026, 11, 10, 23, 59, 59, 0, time.UTC)} }

// jumps are from a second to eight days, both ways.
var jumps = []time.Duration{
	time.Second, 4 * time.Second, 5 * time.Second, 5*time.Second + time.Millisecond, 6 * time.Second, time.Minute, time.Hour, 24 * time.Hour, 8 * 24 * time.Hour,
}

// A jump of the system's clock moves nothing. One of more than five seconds is
// doubt until the clock is right again; then it goes on as if nothing had been.
func TestJumps(t *testing.T) {
	for _, jump := range append(jumps, negative(jumps)...) {
		t.Run(jump.String(), func(t *testing.T) {
			m := newMachine()
			c := m.clock()
			read(t, c, m.truth, false)
			m.off = jump
			read(t, c, m.truth, jump.Abs() > Tolerance)
			m.truth = m.truth.Add(30 * time.Second)
			read(t, c, m.truth, jump.Abs() > Tolerance)
			if skew, lasted := c.Doubt(); skew != nil && (skew.Off != jump || lasted != 30*time.Second) {
				t.Errorf("doubt of %s for %s", skew.Off, lasted)
			}
			m.truth, m.off = m.truth.Add(10*time.Minute), 0
			read(t, c, m.truth, false)
			if skew, _ := c.Doubt(); skew != nil {
				t.Errorf("still in doubt: %v", skew)
			}
		})
	}
}

func negative(all []time.Duration) (negated []time.Duration) {
	for _, d := range all {
		negated = append(negated, -d)
	}
	return negated
}

func read(t *testing.T, c *Clock, want time.Time, doubt bool) {
	t.Helper()
	now, err := c.Now()
	skew := new(Skew)
	if !now.Equal(want) || errors.As(err, &skew) != doubt || (err == nil) == doubt {
		t.Fatalf("the clock says %s, %v; it is %s, doubt %t", now, err, want, doubt)
	}
}

// Small steps, as time servers make them, are taken over one a minute; the clock stands still rather than going back.
func TestSmallSteps(t *testing.T) {
	m := newMachine()
	c := m.clock()
	read(t, c, m.truth, false)
	for range 100 {
		m.truth, m.off = m.truth.Add(stepTime), m.off+3*time.Second
		read(t, c, m.truth.Add(m.off), false)
	}
	before := m.truth.Add(m.off)
	m.off -= 4 * time.Second
	m.truth = m.truth.Add(time.Second)
	read(t, c, before.Add(time.Second), false)
	m.truth = m.truth.Add(stepTime)
	read(t, c, m.truth.Add(m.off), false)
	m.truth, m.off = m.truth.Add(stepTime-time.Second), m.off-4*time.Second
	read(t, c, m.truth.Add(m.off+4*time.Second), false)
	m.truth = m.truth.Add(time.Second) // four seconds back, but not behind what was answered
	read(t, c, m.truth.Add(m.off+4*time.Second-time.Second), false)
}

// A clock that is wrong at the start is in doubt until it is set; then it is followed.
func TestWrongAtStart(t *testing.T) {
	m := newMachine()
	m.off = -8 * 24 * time.Hour // a machine without a battery
	c := m.clock()
	c.Passed(m.truth.Add(-time.Hour), Ledger)
	read(t, c, m.truth.Add(m.off), true)
	m.off = 0
	read(t, c, m.truth, false)
}

// Whoever says that the clock is right now is believed, forwards and backwards.
func TestAccept(t *testing.T) {
	for _, jump := range append(jumps, negative(jumps)...) {
		m := newMachine()
		c := m.clock()
		read(t, c, m.truth, false)
		m.off = jump
		c.Accept()
		read(t, c, m.truth.Add(jump), false)
	}
}

// Another machine's clock that shows something else is doubt as well, until they agree.
func TestCompare(t *testing.T) {
	m := newMachine()
	c := m.clock()
	c.Compare(m.truth.Add(5 * time.Second))
	read(t, c, m.truth, false)
	c.Compare(m.truth.Add(-6 * time.Second))
	read(t, c, m.truth, true)
	c.Compare(m.truth)
	read(t, c, m.truth, false)
}

// Whatever the system's clock does, what is answered without doubt never goes
// back, and is never further from the truth than the tolerated steps add up to.
func TestNeverBack(t *testing.T) {
	for seed := range uint64(200) {
		chance := rand.New(rand.NewPCG(seed, 5))
		m := newMachine()
		c := m.clock()
		last, err := c.Now()
		if err != nil {
			t.Fatal(err)
		}
		began := m.truth
		for range 500 {
			m.truth = m.truth.Add(time.Duration(chance.Int64N(int64(20 * time.Second))))
			switch chance.IntN(10) {
			case 0:
				m.off = jumps[chance.IntN(len(jumps))]
			case 1:
				m.off = -jumps[chance.IntN(len(jumps))]
			case 2:
				m.off += time.Duration(chance.Int64N(int64(2 * time.Second)))
			case 3:
				m.off = 0
			}
			now, err := c.Now()
			if err != nil {
				continue
			}
			if now.Before(last) {
				t.Fatalf("seed %d: back from %s to %s", seed, last, now)
			}
			last = now
			if most := Tolerance * (2 + m.truth.Sub(began)/stepTime); now.Sub(m.truth).Abs() > most {
				t.Fatalf("seed %d: %s off", seed, now.Sub(m.truth))
			}
		}
	}
}
