package expr

import (
	"slices"
	"unicode"
)

// take matches the node with the characters from i to j, all of them, and notes what its groups are. Groups keep what they were if it fails.
func (m *regexMatcher) take(n *regexNode, i, j int) bool {
	m.spend(1)
	switch n.op {
	case regexNever:
		return false
	case regexSet:
		return j == i+1 && inSet(n.set, m.text[i])
	case regexSeq:
		return m.takeSeq(n, 0, i, j)
	case regexAlt:
		return slices.ContainsFunc(n.subs, func(s *regexNode) bool { return m.take(s, i, j) })
	case regexRepeat:
		return m.takeRepeat(n, 0, i, j)
	case regexGroup:
		if !m.take(n.subs[0], i, j) {
			return false
		}
		m.groups[2*n.group-2], m.groups[2*n.group-1] = int32(i), int32(j)
		return true
	case regexBack:
		return m.takeBack(n, i, j)
	case regexAssert, regexLook:
		return i == j && m.holds(n, i)
	}
	return i == j
}

// takeSeq matches the parts of a sequence from the k-th on. Each takes what its taste says, and less (or more) if the rest fails.
func (m *regexMatcher) takeSeq(n *regexNode, k, i, j int) bool {
	switch len(n.subs) - k {
	case 0:
		return i == j
	case 1:
		return m.take(n.subs[k], i, j)
	}
	return m.split(n, k, i, j, n.subs[k], func(mid int) bool { return m.takeSeq(n, k+1, mid, j) })
}

// takeRepeat matches the part of n from its k-th time on. Times that match nothing are only those that min asks for.
func (m *regexMatcher) takeRepeat(n *regexNode, k, i, j int) bool {
	if i == j && k >= n.min {
		return true
	}
	if n.max >= 0 && k >= n.max {
		return false
	}
	return m.split(n, k, i, j, n.subs[0], func(mid int) bool {
		if mid == i && k >= n.min {
			return false
		}
		if mid == j && k+1 >= n.min {
			return true
		}
		kept := slices.Clone(m.groups)
		m.forget(n) // groups tell of the last time only
		if m.takeRepeat(n, k+1, mid, j) {
			return true
		}
		copy(m.groups, kept)
		return false
	})
}

// forget unsets the groups in n.
func (m *regexMatcher) forget(n *regexNode) {
	if n.op == regexGroup {
		m.groups[2*n.group-2], m.groups[2*n.group-1] = -1, -1
	}
	for _, s := range n.subs {
		m.forget(s)
	}
}

// split gives first the characters from i to where rest can go on up to j. k tells how far n has come.
func (m *regexMatcher) split(n *regexNode, k, i, j int, first *regexNode, rest func(mid int) bool) bool {
	if n.op == regexRepeat && n.max < 0 {
		k = min(k, n.min) // it is all the same from then on
	}
	key := regexAttempt{n, k, i, j}
	if m.failed[key] {
		return false
	}
	here := newPlaces(len(m.text))
	here.add(i)
	kept := slices.Clone(m.groups)
	for _, mid := range m.reach(first, here).list(first.taste()) {
		if mid <= j && m.take(first, i, mid) && rest(mid) {
			return true
		}
		copy(m.groups, kept)
	}
	if m.failed != nil {
		m.failed[key] = true
	}
	return false
}

// takeBack matches what a group has matched.
func (m *regexMatcher) takeBack(n *regexNode, i, j int) bool {
	from, to := m.groups[2*n.group-2], m.groups[2*n.group-1]
	if from < 0 || int(to-from) != j-i {
		return false
	}
	m.spend(j - i)
	for k := range j - i {
		a, b := m.text[int(from)+k], m.text[i+k]
		if a != b && !(n.fold && unicode.ToLower(a) == unicode.ToLower(b)) {
			return false
		}
	}
	return true
}
