package community

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode"

	"moonfund/internal/bitcoin/runes"
)

// FuzzRead reads arbitrary text as a manifest of each network. An error names a key and the values it accepts. An
// accepted manifest is within all bounds that other packages assume.
func FuzzRead(f *testing.F) {
	f.Add([]byte(whole))
	for _, name := range []string{"manifests/lobo.toml", "manifests/dev/lobo.toml", "manifests/dev/dummy.toml"} {
		text, err := Examples.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		f.Add(text[:len(text)/2])
	}
	for _, row := range wrongValues {
		f.Add([]byte(strings.Replace(whole, row.old, row.new, 1)))
	}
	for _, more := range []string{
		"\n[[reward_schedule]]\nfrom_epoch = 0\nbudget = \"5\"\n", "\nprefix = \"wolf\"\n", "\n[limits.more]\nx = 1\n",
		"\nx = 1e400\n", "\ny = 0x_1\n",
		"\nz = [[[[[[[[[[1]]]]]]]]]]\n", "\n\xff", "\r\n", "\nq = 2026-02-30T00:00:00Z\n",
	} {
		f.Add([]byte(whole + more))
	}
	schedule := "[[reward_schedule]]\nfrom_epoch = 0\nbudget = \"5\"\n[[reward_schedule]]\nfrom_epoch = 9\nbudget = " +
		"\"3\"\n"
	f.Add([]byte(strings.Replace(whole, `reward_budget = "1000"`, "", 1) + schedule))
	f.Add([]byte(strings.Replace(whole, `reward_budget = "1000"`, "", 1) + strings.Replace(schedule, "9", "0", 1)))
	f.Fuzz(func(t *testing.T, text []byte) {
		for network := range networks {
			m, err := Read("fuzz.toml", text, network)
			if err == nil {
				checkBounds(t, m)
				continue
			}
			var problems Problems
			if !errors.As(err, &problems) || len(problems) == 0 {
				t.Fatalf("an error without a key: %v", err)
			}
			for _, p := range problems {
				if p.Key == "" || p.Want == "" || p.File != "fuzz.toml" {
					t.Fatalf("an incomplete problem: %+v", p)
				}
			}
		}
	})
}

// contactLink returns the contact if it is a URL.
func contactLink(contact string) string {
	if mailAddress(contact) {
		return ""
	}
	return contact
}

func checkBounds(t *testing.T, m Manifest) {
	t.Helper()
	delay := map[bool]uint32{true: 1, false: MinRecoveryDelay}[m.Network == "regtest"]
	l := m.Limits
	ok := label.MatchString(m.Prefix) && label.MatchString(m.Host) && m.Account < 1<<31-1 &&
		m.RecoveryDelay >= delay && m.RecoveryDelay <= MaxRecoveryDelay &&
		m.MinimumStake > 0 && m.ServiceFee >= 0 && l.DailyOutflow > 0 && l.ColdAbove >= 0 && l.FeeTopUp >= 0 &&
		l.MaxFeeRate > 0 &&
		l.MaxUnitsPerOrder >= 1 && l.MaxUnitsPerOrder <= MaxUnitsPerOrder && l.MaxRunestone >= MinRunestone &&
		l.MaxRunestone <= MaxRunestone &&
		m.Refunds.PerOwnerDay > 0 && m.Refunds.PerOwnerDay <= m.Refunds.PerDay/MinRefundOwners &&
		l.PayoutMaxWait >= 0 && l.PayoutMaxWait <= MaxPayoutWait && (m.EpochLength > 0 || m.Network == "regtest") &&
		(m.Network != "mainnet" || m.EpochLength == Week)
	if !ok {
		t.Fatalf("accepted: %+v", m)
	}
	if len(m.Budgets) == 0 || m.Budgets[0].FromEpoch != 0 {
		t.Fatalf("accepted with the budgets %v", m.Budgets)
	}
	for i, b := range m.Budgets {
		if b.Amount < 0 || i > 0 && b.FromEpoch <= m.Budgets[i-1].FromEpoch || m.Budget(b.FromEpoch) != b.Amount {
			t.Fatalf("accepted with the budgets %v", m.Budgets)
		}
	}
	if _, err := runes.ParseID(m.Rune.ID); err != nil && (m.Rune.ID != "" || m.Network != "regtest") {
		t.Fatalf("accepted with the rune %q: %v", m.Rune.ID, err)
	}
	if at := m.Calendar().At(m.Genesis.Add(time.Second)); at != 0 {
		t.Fatalf("a second after its genesis the epoch is %d, want 0", at)
	}
	for _, link := range []string{strings.ReplaceAll(m.ExplorerTx, "{txid}", strings.Repeat("ab", 32)),
		m.Texts.LearnMore, contactLink(m.Contact)} {
		to, err := url.Parse(link)
		if link != "" && (err != nil || to.Host == "" || to.Scheme != "https" &&
			(to.Scheme != "http" || m.Network != "regtest")) {
			t.Fatalf("accepted with the link %q", link)
		}
	}
	for _, text := range []string{m.Name, m.Token, m.Rune.Name, m.Rune.Symbol, m.Collection, m.Texts.Tagline,
		m.Texts.Description, m.Texts.FrontNotice} {
		if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
			t.Fatalf("accepted with the text %q", text)
		}
	}
}
