package action

import (
	"runtime"
	"sync"
)

// verifications limits the signatures that are verified at once to the number of processors. With more, the goroutine
// that writes to the database would have to wait for a processor.
var verifications = make(chan struct{}, runtime.GOMAXPROCS(0))

// mostRecent limits the cached actions, and mostRecentUnits the units of each. An action with that many takes 2 KB.
const (
	mostRecent      = 8192
	mostRecentUnits = 16
)

// recent caches the latest actions that this server stored, so most proofs need no read. An action never changes except
// when it is used, and only the store decides that.
type recent struct {
	mu      sync.Mutex
	actions map[string]Action
	ids     []string // a ring buffer; once it is full, next is the index of the oldest
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

// drop removes an action that was used.
func (r *recent) drop(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.actions, id)
}
