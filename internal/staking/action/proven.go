package action

import (
	"context"
	"crypto/subtle"
	"errors"
	"time"

	"moonfund/internal/fault"
	"moonfund/internal/state"
)

// provenFor is how long the proof of an action also shows that its owner turned on notifications.
const provenFor = 30 * time.Minute

// CheckProven returns nil if the caller signed an action with this signature a short time ago, and a fault otherwise.
// Instructions don't count, because statements publish their signatures.
func (s *Service) CheckProven(ctx context.Context, community string, w Wallet, id, signature string) error {
	w, err := s.canonical(w)
	if err != nil {
		return err
	}
	m, err := s.Moment()
	if err != nil {
		return fault.Refuse(fault.ClockUncertain).Because(err)
	}
	var a Action
	err = s.View(ctx, func(tx Tx) error {
		a, err = tx.Actions.Action(ctx, id)
		return err
	})
	if err != nil && !errors.Is(err, state.ErrNotFound) {
		return err
	}
	if err != nil || !a.Used || a.Community != community || a.Wallet != w || a.Signature == "" || a.Type.compounding() ||
		m.Now.Sub(a.UsedAt) > provenFor || subtle.ConstantTimeCompare([]byte(a.Signature), []byte(signature)) != 1 {
		return fault.Refuse(fault.PushProof)
	}
	return nil
}
