package epoch

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"
)

// machine simulates a computer whose clock can be set wrong.
type machine struct {
	truth time.Time
	off   time.Duration // error of the system clock
}

func (m *machine) clock() *Clock {
	began := m.truth
	return NewClock(func() time.Time { return m.truth.Add(m.off) }, func() time.Duration { return m.truth.Sub(began) })
}

func newMachine() *machine { return &machine{truth: time.Date(2026, 11, 10, 23, 59, 59, 0, time.UTC)} }

// jumps range from one second to eight days, in both directions.
var jumps = []time.Duration{
	time.Second, 4 * time.Second, 5 * time.Second, 5*time.Second + time.Millisecond, 6 * time.Second, time.Minute,
	time.Hour, 24 * time.Hour, 8 * 24 * time.Hour,
}

// TestJumps checks that a jump of the system clock does not move the clock, and that a jump of more than Tolerance puts
// the clock in doubt until the system clock is right again.
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
				t.Errorf("doubt of %s for %s, want the size of the jump for 30s", skew.Off, lasted)
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
		t.Fatalf("Now() = %s, %v; want %s, doubt %t", now, err, want, doubt)
	}
}

// TestSmallSteps checks that small corrections by a time server are adopted once a minute, and that the clock stops
// rather than going back.
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
	m.truth = m.truth.Add(time.Second) // four seconds back, but not before the last returned instant
	read(t, c, m.truth.Add(m.off+4*time.Second-time.Second), false)
}

// TestWrongAtStart checks that a system clock that is wrong at the start leaves the clock in doubt until the system
// clock is set, and that the clock then follows the system clock.
func TestWrongAtStart(t *testing.T) {
	m := newMachine()
	m.off = -8 * 24 * time.Hour // a machine without a clock battery
	c := m.clock()
	c.Passed(m.truth.Add(-time.Hour), Ledger)
	read(t, c, m.truth.Add(m.off), true)
	m.off = 0
	read(t, c, m.truth, false)
}

// TestAccept checks that Accept adopts the system clock in both directions.
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

// TestCompare checks that a difference of more than Tolerance from the database clock puts the clock in doubt until the
// two agree.
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

// TestNeverBack checks that for random steps of the system clock, the instants returned without doubt never go back and
// their error never exceeds the sum of the adopted steps.
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
				t.Fatalf("seed %d: the clock went back from %s to %s", seed, last, now)
			}
			last = now
			if most := Tolerance * (2 + m.truth.Sub(began)/stepTime); now.Sub(m.truth).Abs() > most {
				t.Fatalf("seed %d: the error of %s exceeds the adopted steps", seed, now.Sub(m.truth))
			}
		}
	}
}
