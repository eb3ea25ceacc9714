package audit

// ReportView is a report as programs read it.
type ReportView struct {
	Height     int64           `json:"height"`
	NodeHeight int64           `json:"node_height"`
	Behind     int64           `json:"behind"`            // blocks
	Follows    string          `json:"follows,omitempty"` // ids of the only runes that are indexed
	OK         bool            `json:"ok"`
	Violations []ViolationView `json:"violations"`
}

// ViolationView is a violation as programs read it.
type ViolationView struct {
	Invariant int    `json:"invariant"`
	Subject   string `json:"subject"`
	Detail    string `json:"detail"`
}

// View returns the report as programs read it.
func (r Report) View() ReportView {
	view := ReportView{
		Height: r.Height, NodeHeight: r.NodeHeight, Behind: r.Behind, Follows: r.Follows, OK: r.OK(),
		Violations: []ViolationView{},
	}
	for _, v := range r.Violations {
		view.Violations = append(view.Violations, ViolationView(v))
	}
	return view
}
