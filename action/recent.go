package action

import (
	"runtime"
	"sync"
)

// busy has room for as many signatures as are checked at once, one for each
// processor. More would only hold up the one who writes: he waits for the disk, and
// then in a line behind them all for a processor.
var busy = make(chan struct{}, runtime.GOMAXPROCS(0))

// mostRecent bounds how many actions are remembered, and mostRecentUnits how many units each may name: about 2 KB.
const (
	mostRecent      = 8192
	mostRecentUnits = 16
)

// recent remembers the latest intents that this server recorded, so that most
// proofs find theirs without asking the store. Nothing of an action ever changes
// but its use, and of that the store alone decides.
type recent struct {
	mu      sync.Mutex
	actions map[string]Action
	ids     []string // a ring, oldest at next once it is full
	next    int
}

func (r *recent) add(a Action) {
	if len(a.UnitIDs) > mostRecentUnits {
		return // Sign reads it from the store
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.actions == nil {
		r.actions = map[string]Action{}
	}
	if len(r.ids) < mostRecent {
		r.ids = append(r.ids, a.ID)
	} else {
		delete(r.actions, r.ids[r.next])
		r.ids[r.next] = a.ID
		r.next = (r.next + 1) % mostRecent
	}
	r.actions[a.ID] = a
}

func (r *recent) find(id string) (Action, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, known := r.actions[id]
	return a, known
}

// drop forgets an action that was used: what came of it, the store knows.
func (r *recent) drop(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.actions, id)
}
