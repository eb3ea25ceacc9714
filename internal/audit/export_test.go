package audit

// Constants for tests.
const (
	MaxHeldWalk = maxHeldWalk
	SaveEvery   = saveEvery
)
