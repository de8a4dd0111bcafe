package expr

func jsonCasts() []castDef { return nil }
