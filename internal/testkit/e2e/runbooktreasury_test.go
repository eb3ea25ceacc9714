package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// treasuryLow raises the budget of future epochs, credits runes to the treasury, and lowers the budget again.
func (r *runbooks) treasuryLow() {
	path := filepath.Join(os.Getenv("MOONFUND_COMMUNITIES"), "lobo.toml")
	text, err := os.ReadFile(path)
	must(r.t, err)
	var globals struct {
		Epoch int64 `json:"current_epoch"`
	}
	r.devServer.get("infoGlobals", &globals)
	schedule := func(budget int64) {
		r.says("[[reward_schedule]]")
		const flat = "reward_budget = \"1000000000\"\n"
		rows := fmt.Sprintf("\n[[reward_schedule]]\nfrom_epoch = 0\nbudget = \"1000000000\"\n"+
			"\n[[reward_schedule]]\nfrom_epoch = %d\nbudget = \"%d\"\n", globals.Epoch+60, budget)
		must(r.t, os.WriteFile(path, []byte(strings.Replace(string(text), flat, "", 1)+rows), 0o600))
		r.devServer.stop()
		r.devServer.run("serve")
		r.follows()
	}
	covered := func() int64 {
		var status struct {
			Epochs int64 `json:"reward_epochs_covered"`
		}
		r.devServer.get("status", &status)
		return status.Epochs
	}
	schedule(10_000 * lobo)
	low := covered()
	if low >= 200 {
		r.t.Fatalf("the treasury covers %d epochs", low)
	}
	r.types("runes go to", "moonfund treasury show PREFIX", "PREFIX", prefix)
	r.shell("moonfund treasury credit " + prefix + ` --why "what is not credited yet" || true`) // there may be nothing
	r.fundTreasury()
	r.types("Booked 6 outputs", `moonfund treasury credit PREFIX --why "…"`, "PREFIX", prefix)
	if now := covered(); now <= low {
		r.t.Errorf("with more runes the treasury covers %d epochs, before %d", now, low)
	}
	schedule(10 * lobo)
	if now := covered(); now < 1000 {
		r.t.Errorf("with a lower budget the treasury covers %d epochs", now)
	}
}

// notNotified starts the server with a wrong secret of its receiver, and then with the right one.
func (r *runbooks) notNotified() {
	const secret = "MOONFUND_NOTIFY_WEBHOOK_SECRET"
	right, wrong := os.Getenv(secret), filepath.Join(r.parent.TempDir(), "wrong.secret")
	must(r.t, os.WriteFile(wrong, []byte("whsec_YW5vdGhlciBzZWNyZXQgb2YgYSB0ZXN0LCBsb25nIGVub3VnaA==\n"), 0o600))
	serveWith := func(file string) {
		r.devServer.stop()
		r.parent.Setenv(secret, file)
		r.serveFrom(os.Getenv("MOONFUND_DATA"))
	}
	received := func() int {
		r.notified.mutex.Lock()
		defer r.notified.mutex.Unlock()
		return len(r.notified.types)
	}
	before := received()
	serveWith(wrong)
	r.shell(`moonfund pause payouts --why "a look at the books"`)
	r.says("moonfund notify list")
	await(r.t, patience, "the failure is listed", func() bool {
		return strings.Contains(r.shell("moonfund notify list"), "401")
	})
	if output := r.fails("moonfund notify test"); !strings.Contains(output, "HTTP 401") {
		r.t.Errorf("notify test: %s", output)
	}
	serveWith(right)
	r.types("sent", "moonfund notify test")
	await(r.t, patience, "the pending message is sent", func() bool { return received() > before+1 })
	before = received()
	r.types("", "moonfund notify replay --since 168h")
	await(r.t, patience, "the events are sent again", func() bool { return received() > before })
	r.shell(`moonfund resume payouts --why "all is well"`)
}
