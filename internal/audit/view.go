package audit

// ReportView is a report in JSON.
type ReportView struct {
	Height     int64           `json:"height"`
	NodeHeight int64           `json:"node_height"`
	Behind     int64           `json:"behind"`            // number of blocks
	Follows    string          `json:"follows,omitempty"` // ids of the only indexed runes
	OK         bool            `json:"ok"`
	Violations []ViolationView `json:"violations"`
	Accepted   []ViolationView `json:"accepted"`
}

// ViolationView is a violation in JSON.
type ViolationView struct {
	ID        string   `json:"id"`
	Invariant int      `json:"invariant"`
	Subject   string   `json:"subject"`
	Detail    string   `json:"detail"`
	Scope     Scope    `json:"scope"` // order, community or server: what it stops
	Community string   `json:"community,omitempty"`
	Orders    []string `json:"orders,omitempty"`
}

// View returns the JSON form of the report.
func (r Report) View() ReportView {
	return ReportView{
		Height: r.Height, NodeHeight: r.NodeHeight, Behind: r.Behind, Follows: r.Follows, OK: r.OK(),
		Violations: views(r.Violations), Accepted: views(r.Accepted),
	}
}

func views(all []Violation) []ViolationView {
	list := []ViolationView{}
	for _, v := range all {
		list = append(list, v.View())
	}
	return list
}

// View returns the JSON form of the violation.
func (v Violation) View() ViolationView {
	return ViolationView{v.ID(), v.Invariant, v.Subject, v.Detail, v.Scope, v.Community, v.Orders}
}
