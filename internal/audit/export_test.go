package audit

// Constants for tests.
const (
	MaxHeldWalk = maxHeldWalk
	SaveEvery   = saveEvery
)

// Among is among, for tests.
func Among(column string, values []string) (condition string, args []any) {
	return among(column, values)
}
