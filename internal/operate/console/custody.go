package console

import (
	"moonfund/internal/operate/decisions"
)

// quarantine lists the outputs that can't be credited.
func (c *Console) quarantine(r request) (page, error) {
	spent := r.query.Get("show") == "all"
	tabs := block{Tabs: []tab{{"Unspent", quarantinePath, !spent}, {"All", quarantinePath + "?show=all", spent}}}
	all, err := decisions.Quarantined(r, r.tx, "", spent)
	if err != nil {
		return page{}, err
	}
	shown, list := part(r, all, rowsPerPage)
	list.Table = &table{Name: "Outputs in quarantine", Empty: noQuarantine, Columns: columns("Output", "At", "Reason",
		"#Sats", "Runes", "#Block", "Owner", "Spent by", "Command")}
	for _, o := range shown {
		give := ""
		if o.Returnable {
			give = c.change("it can't be credited", "quarantine", "return", o.OutPoint)
		}
		list.Table.Rows = append(list.Table.Rows, []cell{found(o.OutPoint), text(string(o.Kind)), text(o.Reason),
			figure(satsText(o.Value)), text(o.Holding()), height(o.Height), found(o.Owner), found(o.SpentBy), {Code: give}})
	}
	return page{Title: "Quarantine", Intro: quarantineIntro, Blocks: []block{tabs, list}}, nil
}
