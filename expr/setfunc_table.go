package expr

// setFunctionTable is every set-returning function by name.
func setFunctionTable() map[string][]*setFunction {
	return map[string][]*setFunction{}
}
