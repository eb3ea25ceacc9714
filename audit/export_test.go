package audit

// MaxHeldWalk exports maxHeldWalk for tests.
const MaxHeldWalk = maxHeldWalk
