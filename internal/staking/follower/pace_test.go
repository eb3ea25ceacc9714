package follower

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"moonfund/internal/staking/ledger"
)

// The estimate uses the speed of the last minutes, because the blocks of different years differ in size.
func TestPace(t *testing.T) {
	var p pace
	now := time.Unix(1_700_000_000, 0)
	if speed := p.reached(100, now); speed != 0 {
		t.Errorf("the first block has the speed %v", speed)
	}
	height := int64(100)
	run := func(seconds, perSecond int64) (speed float64) {
		for range seconds {
			now = now.Add(time.Second)
			height += perSecond
			speed = p.reached(height, now)
		}
		return speed
	}
	if speed := run(60, 10); speed != 10 {
		t.Errorf("%v blocks per second, want 10", speed)
	}
	if speed := run(1200, 2); speed != 2 {
		t.Errorf("%v blocks per second, want 2", speed)
	}
	if speed := p.reached(height-500, now); speed < 0 {
		t.Errorf("%v blocks per second after a reorg", speed)
	}
}

func TestTimeLeft(t *testing.T) {
	for want, of := range map[time.Duration]struct {
		blocks int64
		speed  float64
	}{
		0:                            {1000, 0},
		time.Second:                  {1, 100},
		40 * time.Second:             {400, 10},
		9 * time.Minute:              {137_000, 250},
		2*time.Hour + 10*time.Minute: {137_000, 17.5},
	} {
		if got := timeLeft(of.blocks, of.speed); got != want {
			t.Errorf("%d blocks at %v per second: %s, want %s", of.blocks, of.speed, got, want)
		}
	}
}

// While many blocks are left, the state and the log contain their number and the estimated time.
func TestProgressIsShown(t *testing.T) {
	var logged bytes.Buffer
	f := &Follower{Config: Config{Log: slog.New(slog.NewTextHandler(&logged, nil))}}
	begin := mark{height: 1000, at: time.Now().Add(-10 * time.Second)}
	p := pace{older: begin, newer: begin}
	var state State
	f.progress(&state, ledger.Header{Height: 2000}, 8000, &p)
	f.progress(&state, ledger.Header{Height: 2001}, 8000, &p)
	shown := f.state.Load()
	if shown.Left != time.Minute || shown.Err.Error() != "catching up: block 2001 of 8000, about 1m0s left" {
		t.Errorf("%s left: %v", shown.Left, shown.Err)
	}
	if got := ParseState(shown.Record()); got.Left != shown.Left || got.Err.Error() != shown.Err.Error() {
		t.Errorf("another server reads %s left: %v", got.Left, got.Err)
	}
	text := logged.String()
	if strings.Count(text, "catching up") != 1 || !strings.Contains(text, "blocks_per_second=100") {
		t.Errorf("logged: %s", text)
	}
}
