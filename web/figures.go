package web

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// Figures are a community's figures at one moment.
type Figures struct {
	TotalStaked  string // base units
	TotalIssued  string // base units
	Divisibility int    // decimals of the rune
	Epoch        int64  // the current epoch; negative before the first
	NextEpoch    time.Time
	EpochLength  time.Duration // 0: epochs are ended by hand
	Notice       string        // the front notice; may be empty
	Now          time.Time     // the server's time for deadlines and epochs
}

// figuresWait is the maximum time that a page waits for its figures. After it the page is rendered without them.
const figuresWait = 500 * time.Millisecond

// askFigures returns the figures for a page, or false if the page must be rendered without them.
func askFigures(ctx context.Context, ask func(context.Context) (Figures, error)) (Figures, bool) {
	if ask == nil {
		return Figures{}, false
	}
	ctx, cancel := context.WithTimeout(ctx, figuresWait)
	defer cancel()
	figures, err := ask(ctx)
	return figures, err == nil
}

// figureWords are figures formatted for one language.
type figureWords struct {
	Staked, StakedExact, Issued, IssuedExact, Epoch, NextEpoch string
	// formatted, and machine-readable; empty: no epoch yet
	Ends, EndsMachine             string
	Days, Hours, Minutes, Seconds string // until Ends, two digits each
	Passed                        int64  // of the epoch, in percent
}

func (f Figures) words(l language) figureWords {
	words := figureWords{
		Epoch: "–", NextEpoch: "0", Days: "––", Hours: "––", Minutes: "––", Seconds: "––",
	}
	words.Staked, words.StakedExact = l.written(f.TotalStaked, f.Divisibility)
	words.Issued, words.IssuedExact = l.written(f.TotalIssued, f.Divisibility)
	if f.Epoch < 0 {
		return words
	}
	words.Epoch, words.NextEpoch = fmt.Sprint(f.Epoch), fmt.Sprint(f.Epoch+1)
	words.Ends, words.EndsMachine = l.moment(f.NextEpoch), f.NextEpoch.UTC().Format(time.RFC3339)
	left := max(0, int64(f.NextEpoch.Sub(f.Now).Round(time.Second)/time.Second))
	words.Passed = passed(left, int64(cmp.Or(f.EpochLength, week)/time.Second))
	for _, part := range []struct {
		to    *string
		value int64
	}{{&words.Days, left / 86400}, {&words.Hours, left % 86400 / 3600}, {&words.Minutes, left % 3600 / 60},
		{&words.Seconds, left % 60}} {
		*part.to = fmt.Sprintf("%02d", part.value)
	}
	return words
}

// week is the assumed length of an epoch without a fixed one, as in web/src/epoch/EpochPanel.tsx.
const week = 7 * 24 * time.Hour

// passed returns how much of an epoch has passed, 0 to 100 percent, given its remaining and total seconds.
func passed(left, length int64) int64 {
	return min(100, max(0, (length-left)*100/max(1, length)))
}
