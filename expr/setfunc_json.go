package expr

func jsonSets() []*setFunction { return nil }
