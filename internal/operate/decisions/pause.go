package decisions

import (
	"context"
	"fmt"
	"strings"
	"time"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
)

// PauseView is the state of a pause: of payouts, or of all changes.
type PauseView struct {
	What   string    `json:"what"`
	Paused bool      `json:"paused"`
	Reason string    `json:"reason"`
	Since  time.Time `json:"since,omitzero"`
	Orders int       `json:"orders_extended"` // number of orders whose deadlines a resume moved
}

// PayoutsOf returns the name of the pause of a community's payouts, or of all payouts for "".
func PayoutsOf(community string) string {
	if community == "" {
		return "payouts"
	}
	return "payouts:" + community
}

// ResumeCommand returns the command that ends the pause of name.
func ResumeCommand(name string) string {
	return "moonfund resume " + strings.Replace(name, ":", " --community ", 1)
}

// checkPause returns an Unknown error if name names no community of the ledger.
func checkPause(ctx context.Context, tx *store.Tx, name string) error {
	if community, isOne := strings.CutPrefix(name, PayoutsOf("")+":"); isOne {
		return CheckCommunity(ctx, tx, community)
	}
	return nil
}

// Pause returns the change that pauses name: "payouts", "all" or PayoutsOf a community. It needs no confirmation.
func Pause(a Author, name string) Change[PauseView] {
	return Change[PauseView]{
		Apply: func(ctx context.Context, tx *store.Tx, at time.Time, _ string) (PauseView, error) {
			view := PauseView{What: name, Paused: true, Reason: a.Trimmed().Why, Since: at}
			if err := checkPause(ctx, tx, name); err != nil {
				return view, err
			}
			reason, since, err := tx.PausedSince(ctx, store.PauseSetting(name))
			if err != nil {
				return view, err
			}
			if reason != "" {
				return view, fmt.Errorf("%s is paused already, since %s: %s", name, terminal.Time(since), reason)
			}
			if _, err := tx.Log(ctx, a.Line(at, "pause", name, "")); err != nil {
				return view, err
			}
			return view, tx.Pause(ctx, store.PauseSetting(name), a.String(), at)
		},
	}
}

// behindWarning is the warning before an older copy of a ledger continues.
const behindWarning = "This ledger is behind its key's high-water mark. After this it is the only valid copy: " +
	"every other copy is refused from then on.\n" +
	"Stakes that only the other copy contains are missing here until `moonfund ledger adopt` adopts them."

// Resume returns the change that ends a pause of name: "payouts", "all" or PayoutsOf a community. If the ledger is
// behind its key's mark, the end of a pause of "all" makes it the only valid copy of the ledger.
func Resume(a Author, name string) Change[PauseView] {
	return Change[PauseView]{
		Preview: func(ctx context.Context, tx *store.Tx) (string, error) { return previewResume(ctx, tx, name) },
		Apply: func(ctx context.Context, tx *store.Tx, at time.Time, _ string) (view PauseView, err error) {
			view = PauseView{What: name}
			if name == "all" {
				mark, behind, err := tx.Behind(ctx)
				if err == nil && behind {
					err = tx.AcceptBehind(ctx, mark)
				}
				if err != nil {
					return view, err
				}
			}
			reason, _, err := tx.PausedSince(ctx, store.PauseSetting(name))
			if err != nil {
				return view, err
			}
			if _, err := tx.Log(ctx, a.Line(at, "resume", name, reason)); err != nil {
				return view, err
			}
			cause := ledger.Cause{Kind: "operator", ID: a.String(), At: at}
			view.Orders, err = tx.Resume(ctx, store.PauseSetting(name), cause)
			return view, err
		},
	}
}

func previewResume(ctx context.Context, tx *store.Tx, name string) (string, error) {
	if err := checkPause(ctx, tx, name); err != nil {
		return "", err
	}
	reason, since, err := tx.PausedSince(ctx, store.PauseSetting(name))
	if err != nil {
		return "", err
	}
	if reason == "" {
		return "", fmt.Errorf("%s is not paused", name)
	}
	preview := fmt.Sprintf("Paused: %s, since %s, because:\n  %s\n"+
		"After this the server sends everything that is due.", name, terminal.Time(since), reason)
	if name != "all" {
		return preview, nil
	}
	preview += "\nThe deadlines of open orders move by the length of the pause."
	if _, behind, err := tx.Behind(ctx); err != nil || behind {
		return preview + "\n" + behindWarning, err
	}
	return preview, nil
}
