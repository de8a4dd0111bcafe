package format

// CompleteJSON reports whether data is one whole JSON object: a line of it is then complete, though no line end follows.
func CompleteJSON(data []byte) bool {
	s := scanner{b: data}
	i := s.space(0)
	if s.at(i) != '{' {
		return false
	}
	next, ok := s.skip(i, 0)
	return ok && s.space(next) == len(data)
}
