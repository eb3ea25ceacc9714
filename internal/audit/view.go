package audit

// ReportView is a report in JSON.
type ReportView struct {
	Height     int64           `json:"height"`
	NodeHeight int64           `json:"node_height"`
	Behind     int64           `json:"behind"`            // number of blocks
	Follows    string          `json:"follows,omitempty"` // ids of the only indexed runes
	OK         bool            `json:"ok"`
	Violations []ViolationView `json:"violations"`
}

// ViolationView is a violation in JSON.
type ViolationView struct {
	Invariant int    `json:"invariant"`
	Subject   string `json:"subject"`
	Detail    string `json:"detail"`
}

// View returns the JSON form of the report.
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
