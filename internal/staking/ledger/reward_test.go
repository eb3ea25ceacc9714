package ledger

import "testing"

func TestUseOfRewards(t *testing.T) {
	for _, c := range []struct {
		stage     Stage
		notBefore int64
		want      Use
	}{
		{"", 0, Unused}, {Claimable, 0, Unused}, {POClaimed, 0, Unused}, {BatchLocked, 0, Claimed}, {Withdrawn, 0, Claimed},
		{PendingStake, 5, Compounded}, {Staked, 5, Compounded}, {BatchLocked, 5, Compounded}, {Withdrawn, 5, Compounded},
	} {
		if got := UseOf(c.stage, c.notBefore); got != c.want {
			t.Errorf("a reward at stage %q with not_before %d is %s, want %s", c.stage, c.notBefore, got, c.want)
		}
	}
}
