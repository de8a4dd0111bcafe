package catalog

import (
	"fmt"
	"slices"
	"strings"

	"wmsql/sqlerr"
)

// linesMax is how many dependents a message lists, as in Postgres.
const linesMax = 100

// Drop removes the entries targets and, with cascade, all that depends on them. It returns everything that
// was removed, users before what they use. Without cascade, dependents outside targets refuse the drop (2BP01).
// The notice tells what else went, nil if nothing did.
func (e *Edit) Drop(targets []Entry, cascade bool, path []string) (dropped []Entry, notice *sqlerr.Error, err error) {
	wanted := map[ID]bool{}
	for _, t := range targets {
		if o := t.Head(); o.Builtin() {
			return nil, nil, sqlerr.Newf(sqlerr.DependentObjects, "cannot drop %s because it is required by the database system", e.Describe(t, path))
		}
		wanted[t.Head().ID] = true
	}
	asked := 0 // without the sequences that go with the tables
	for _, t := range targets {
		if q, ok := t.(*Sequence); !ok || !wanted[q.Table] {
			asked++
		}
	}
	order, lines := e.dependents(targets, wanted, cascade, path)
	if len(lines) > 0 && !cascade {
		return nil, nil, dependError(e.Describe(targets[0], path), asked, lines)
	}
	slices.Reverse(order)
	for _, x := range order {
		e.Delete(x.Head().ID)
	}
	return order, cascadeNotice(lines), nil
}

// dependents lists targets and all that depends on them, what is used before its users, and a message line for
// every one that is not wanted.
func (e *Edit) dependents(targets []Entry, wanted map[ID]bool, cascade bool, path []string) (order []Entry, lines []string) {
	seen := map[ID]bool{}
	var visit func(x, via Entry)
	visit = func(x, via Entry) {
		if seen[x.Head().ID] {
			return
		}
		seen[x.Head().ID] = true
		order = append(order, x)
		if via != nil && !wanted[x.Head().ID] && x.Head().Kind != KindIndex { // an index goes with its table
			line := e.Describe(x, path) + " depends on " + e.Describe(via, path)
			if cascade {
				line = "drop cascades to " + e.Describe(x, path)
			}
			lines = append(lines, line)
		}
		for _, u := range e.directUsers(x) {
			visit(u, x)
		}
	}
	for _, t := range targets {
		visit(t, nil)
	}
	slices.SortStableFunc(order, func(a, b Entry) int {
		if (a.Head().Kind == KindSchema) != (b.Head().Kind == KindSchema) {
			if a.Head().Kind == KindSchema {
				return -1
			}
			return 1
		}
		return int(int64(a.Head().ID) - int64(b.Head().ID))
	})
	return order, lines
}

// directUsers are the entries that use x; a schema is used by what lies in it.
func (e *Edit) directUsers(x Entry) []Entry {
	var out []Entry
	if x.Head().Kind == KindSchema {
		for m := range e.All() {
			if m.Head().Schema == x.Head().Name && m.Head().Kind != KindSchema {
				out = append(out, m)
			}
		}
		return out
	}
	for _, id := range e.Users(x.Head().ID) {
		out = append(out, e.ByID(id))
	}
	return out
}

// DropUsers removes users, which use a part of an entry that is called what, and all that depends on them. Without cascade they refuse the
// part's removal (2BP01). It returns everything that was removed, users before what they use; the notice tells of it.
func (e *Edit) DropUsers(what string, users []Entry, cascade bool, path []string) (dropped []Entry, notice *sqlerr.Error, err error) {
	var lines []string
	for _, u := range users {
		if slices.Contains(dropped, u) {
			continue
		}
		line := e.Describe(u, path) + " depends on " + what
		if cascade {
			line = "drop cascades to " + e.Describe(u, path)
		}
		order, more := e.dependents([]Entry{u}, map[ID]bool{}, cascade, path)
		lines = append(append(lines, line), more...)
		for _, x := range order {
			if !slices.Contains(dropped, x) {
				dropped = append(dropped, x)
			}
		}
	}
	if len(lines) > 0 && !cascade {
		return nil, nil, dependError(what, 1, lines)
	}
	slices.Reverse(dropped)
	for _, x := range dropped {
		e.Delete(x.Head().ID)
	}
	return dropped, cascadeNotice(lines), nil
}

func dependError(what string, targets int, lines []string) error {
	err := sqlerr.Newf(sqlerr.DependentObjects, "cannot drop %s because other objects depend on it", what)
	if targets > 1 {
		err = sqlerr.Newf(sqlerr.DependentObjects, "cannot drop desired object(s) because other objects depend on them")
	}
	err.Detail = listing(lines)
	return err.WithHint("Use DROP ... CASCADE to drop the dependent objects too.")
}

func cascadeNotice(lines []string) *sqlerr.Error {
	if len(lines) == 0 {
		return nil
	}
	n := &sqlerr.Error{Severity: sqlerr.SevNotice, Code: sqlerr.SuccessfulCompletion, Msg: lines[0]}
	if len(lines) > 1 {
		n.Msg = fmt.Sprintf("drop cascades to %d other objects", len(lines))
		n.Detail = listing(lines)
	}
	return n
}

func listing(lines []string) string {
	if more := len(lines) - linesMax; more > 0 {
		return strings.Join(lines[:linesMax], "\n") + fmt.Sprintf("\nand %d other objects", more)
	}
	return strings.Join(lines, "\n")
}
