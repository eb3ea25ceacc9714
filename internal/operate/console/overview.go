package console

import (
	"fmt"
	"strings"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/operate/decisions"
)

// The paths of pages that other pages link to.
const (
	ordersPath     = "/orders"
	payoutsPath    = "/payouts"
	refundsPath    = "/refunds"
	quarantinePath = "/quarantine"
	treasuryPath   = "/treasury"
	epochsPath     = "/epochs"
	incidentsPath  = "/incidents"
	mintsPath      = "/rune-orders"
	searchPath     = "/search"
)

// pages returns the pages of the console, in the order of the navigation.
func (c *Console) pages() []route {
	return []route{
		{"/{$}", "Overview", true, c.overview},
		{incidentsPath, "Incidents", true, c.incidentsPage},
		{ordersPath, "Orders", false, c.orders},
		{ordersPath + "/{id}", "", false, c.order},
		{payoutsPath, "Payouts", false, c.payouts},
		{payoutsPath + "/{id}", "", false, c.payout},
		{refundsPath, "Refunds", false, c.refunds},
		{quarantinePath, "Quarantine", false, c.quarantine},
		{treasuryPath, "Treasury", false, c.treasury},
		{epochsPath, "Epochs", false, c.epochs},
		{epochsPath + "/{community}/{id}", "", false, c.epoch},
		{mintsPath, "Mint and etch", false, c.runeOrders},
		{mintsPath + "/{id}", "", false, c.runeOrder},
		{searchPath, "", false, c.search},
	}
}

// overview is the first page: the health of the server, the tasks of the operator, and the treasuries.
func (c *Console) overview(r request) (page, error) {
	found, err := c.incidents(r)
	if err != nil {
		return page{}, err
	}
	blocks := []block{{Heading: "Health", Tiles: healthTiles(r, found)}}
	if len(found) > 0 {
		blocks = append(blocks, block{Heading: "What needs you", Notices: found})
	}
	communities, err := r.tx.Communities(r)
	if err != nil {
		return page{}, err
	}
	for _, prefix := range communities {
		v, err := c.readTreasury(r, prefix)
		if err != nil {
			return page{}, err
		}
		blocks = append(blocks, block{
			Heading: "Treasury of " + v.name, Tiles: v.tiles(), Text: v.covers(),
		})
	}
	blocks = append(blocks, block{Heading: "If something is wrong", Text: emergency, Commands: []command{
		{Does: stopPayouts, Line: c.change("stopped from the console", "pause", "payouts")},
		{Does: stopAll, Line: c.change("stopped from the console", "pause", "all")},
		{Does: checkLedger, Line: c.audit()},
		{Does: checkMachine, Line: c.doctor()},
	}})
	return page{Title: "Overview", Blocks: blocks}, nil
}

// audit returns the command line of an audit.
func (c *Console) audit() string { return c.command("audit") }

// doctor returns the command line of the checks, or "" if the console was not started with all settings of the server.
func (c *Console) doctor() string {
	if !c.Complete {
		return ""
	}
	return commandLine(c.Settings, "doctor")
}

// healthTiles returns the state of the server in figures.
func healthTiles(r request, incidents []notice) []tile {
	tiles := []tile{summary(incidents)}
	s := r.server.status
	if s == nil {
		tiles = append(tiles, tile{Name: "Server", Value: "No answer", Note: r.server.why, Tone: bad})
	} else {
		tiles = append(tiles, serverTile(r.server), chainTile(s))
	}
	if rate, known := r.server.metric("fee_rate_sat_per_vbyte"); known {
		tiles = append(tiles, tile{Name: "Fee rate", Value: fmt.Sprintf("%.3g sat/vB", rate),
			Note: "for new orders and payouts"})
	}
	tiles = append(tiles, auditTile(r.server), backupTile(r.server))
	if up, known := r.server.metric("signer_up"); known {
		t := tile{Name: "Signer", Value: "Ready", Tone: good}
		if up == 0 {
			t.Value, t.Tone = "Signs nothing", bad
		}
		tiles = append(tiles, t)
	}
	return tiles
}

// summary returns the number of incidents, and the worst tone.
func summary(incidents []notice) tile {
	t := tile{Name: "State", Value: "All is well", Tone: good}
	if len(incidents) > 0 {
		t.Value, t.Tone, t.Link = plural(len(incidents), "thing to look at", "things to look at"), warn, incidentsPath
	}
	for _, n := range incidents {
		if n.Tone == bad {
			t.Tone = bad
		}
	}
	return t
}

func serverTile(state serverState) tile {
	t := tile{Name: "Server", Value: "Running", Note: "version " + state.status.Version, Tone: good}
	if leads, known := state.metric("leader"); known {
		if leads == 1 {
			t.Note += ", leads"
		} else {
			t.Note += ", stands by: another server leads"
		}
	}
	return t
}

func chainTile(s *api.Status) tile {
	t := tile{Name: "Ledger and node", Value: "Block " + count(s.TipHeight), Note: "level with the node", Tone: good}
	switch {
	case s.NodeHeight < 0:
		t.Note, t.Tone = "the node can't be reached", bad
	case s.CatchingUp || s.Lag > 0:
		t.Note = fmt.Sprintf("%s behind the node's block %s", plural(s.Lag, "block", "blocks"), count(s.NodeHeight))
		t.Tone = warn
	}
	return t
}

func auditTile(state serverState) tile {
	t := tile{Name: "Last audit", Value: "Unknown", Note: state.whyMetrics}
	since, known := state.since("audit_age_seconds")
	ok, _ := state.metric("audit_ok")
	height, _ := state.metric("audit_height")
	switch {
	case state.metrics == nil:
	case !known:
		t.Value, t.Note = "Not yet", "the server audits when it has followed the chain"
	case ok == 1:
		t.Value, t.Note, t.Tone = age(time.Time{}.Add(since), time.Time{}), "no violation, block "+count(int64(height)), good
	default:
		violations, _ := state.metric("audit_violations")
		t.Value = plural(int64(violations), "violation", "violations")
		t.Note, t.Tone = age(time.Time{}.Add(since), time.Time{}), bad
	}
	return t
}

func backupTile(state serverState) tile {
	t := tile{Name: "Last backup", Value: "Unknown", Note: state.whyMetrics}
	since, known := state.since("backup_age_seconds")
	switch {
	case state.metrics == nil:
	case !known:
		t.Value, t.Note, t.Tone = "None", "the server makes no backups: MOONFUND_BACKUPS is not set", warn
	case since > longestBackupAge:
		t.Value, t.Tone = age(time.Time{}.Add(since), time.Time{}), bad
	default:
		t.Value, t.Tone = age(time.Time{}.Add(since), time.Time{}), good
	}
	return t
}

// holdings is the treasury of a community, with the name of its rune.
type holdings struct {
	decisions.TreasuryView
	name    string
	surplus decisions.SurplusView // what the operator may withdraw, as `moonfund treasury surplus` computes it
}

// readTreasury reads a treasury.
func (c *Console) readTreasury(r request, prefix string) (v holdings, err error) {
	var budgets decisions.Budgets
	if c.Budgets != nil {
		budgets = c.Budgets(r, r.tx, prefix)
	}
	if v.TreasuryView, err = decisions.ReadTreasury(r, r.tx, prefix, budgets); err != nil {
		return v, err
	}
	if v.surplus, err = decisions.ReadSurplus(r, r.tx, prefix, budgets); err != nil {
		return v, err
	}
	v.name, err = runeName(r, prefix)
	return v, err
}

// left returns the treasury's runes less the owed rewards and the budgets of running epochs, in base units. It is
// negative for a shortfall.
func (v holdings) left() amount.Runes { return v.Free - v.Reserved }

// covers describes the runway as a sentence.
func (v holdings) covers() string {
	return "T" + strings.TrimPrefix(v.Covers.String(), "t") + "."
}

// tiles returns the treasury in figures.
func (v holdings) tiles() []tile {
	tiles := []tile{
		{Name: "Runes held", Value: runesText(v.Runes), Note: "on " + plural(v.RuneOutputs, "output", "outputs"),
			Link: treasuryPath},
		{Name: "Owed to stakers", Value: runesText(v.Owed), Note: "rewards that are not delivered"},
		{Name: "Running epochs", Value: runesText(v.Reserved), Note: "reserved as their budget"},
		{Name: "Surplus", Value: runesText(max(0, v.surplus.SurplusRunes)), Tone: good,
			Note: "after these and the next epoch's budget"},
		{Name: "Sats held", Value: satsText(v.Sats), Note: "fee account: " + satsText(v.FeeAccount) + " sats"},
		{Name: "Surplus of sats", Value: satsText(max(0, v.surplus.SurplusSats)), Tone: good,
			Note: "after the fee account and what is due"},
		{Name: "Runway", Value: plural(v.Covers.Epochs, "epoch", "epochs"), Note: "after the current one", Tone: good},
	}
	if v.left() < 0 {
		tiles[3].Name, tiles[3].Value, tiles[3].Tone = "Shortfall", runesText(-v.left()), bad
	}
	if v.Covers.Epochs < lowRunway {
		tiles[6].Tone = warn
	}
	return tiles
}

// Limits from which a state is an incident, as in docs/operations/alerts.yaml.
const (
	longestBackupAge = 6 * time.Hour
	longestAuditAge  = 3 * time.Hour
	longestLive      = 6 * time.Hour
	longestRequest   = time.Minute
	mostLag          = 3
	lowRunway        = 4
)
