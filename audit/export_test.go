package audit

// MaxHeldWalk is maxHeldWalk for the tests.
const MaxHeldWalk = maxHeldWalk
