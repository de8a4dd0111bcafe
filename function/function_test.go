package function

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"wmsql/column"
	"wmsql/types"
)

// table is a Store in memory.
type table struct {
	entries map[string]string
	timers  []Timer
}

func newTable() *table { return &table{entries: map[string]string{}} }

func entry(state int, sub string) string { return fmt.Sprintf("%03d%s", state, sub) }

func (t *table) Get(state int, sub string) ([]byte, bool) {
	v, ok := t.entries[entry(state, sub)]
	return []byte(v), ok
}

func (t *table) Put(state int, sub string, v []byte) error {
	t.entries[entry(state, sub)] = string(v)
	return nil
}
func (t *table) Delete(state int, sub string) { delete(t.entries, entry(state, sub)) }

func (t *table) Subs(state int) []string {
	var out []string
	for k := range t.entries {
		if rest, ok := strings.CutPrefix(k, entry(state, "")); ok {
			out = append(out, rest)
		}
	}
	slices.Sort(out)
	return out
}

func (t *table) Last(state int) (string, bool) {
	subs := t.Subs(state)
	if len(subs) == 0 {
		return "", false
	}
	return subs[len(subs)-1], true
}

func (t *table) Timers() []Timer { return t.timers }

func (t *table) SetTimer(x Timer) {
	if !slices.Contains(t.timers, x) {
		t.timers = append(t.timers, x)
		slices.SortFunc(t.timers, func(a, b Timer) int { return cmp.Compare(a.At, b.At) })
	}
}

func (t *table) CancelTimer(x Timer) {
	t.timers = slices.DeleteFunc(t.timers, func(y Timer) bool { return x == y })
}

// rig is an instance over rows (id text, n bigint, ts timestamptz) that emits (id text, n bigint, what text).
type rig struct {
	in    *Instance
	store *table
	rows  *column.Batch
	key   []column.Vector
}

func fields(spec ...any) *types.Schema {
	s := &types.Schema{}
	for i := 0; i < len(spec); i += 2 {
		s.Fields = append(s.Fields, types.Field{Name: spec[i].(string), Type: types.Of(spec[i+1].(types.Kind))})
	}
	return s
}

func newRig(t testing.TB, source string) *rig {
	t.Helper()
	p, err := Compile("f", source, nil)
	if err != nil {
		t.Fatal(err)
	}
	in := fields("id", types.Text, "n", types.Int8, "ts", types.TimestampTZ)
	c := Config{In: in, Out: fields("id", types.Text, "n", types.Int8, "what", types.Text), TimeAt: -1, Marked: true}
	r := &rig{store: newTable()}
	if r.in, err = p.New(c); err != nil {
		t.Fatal(err)
	}
	bs := column.NewBuilders(in, 0)
	for i := range 3 {
		bs[0].AppendDatum("a")
		bs[1].AppendDatum(int64(i + 1))
		bs[2].AppendDatum(int64(i) * 60e6)
	}
	r.rows = column.BuildBatch(in, bs)
	r.rows.Rows = 3
	r.key = r.rows.Cols[:1]
	r.in.Begin(1e15, types.MinTime)
	return r
}

func (r *rig) process() error {
	return r.in.Process(r.key, 0, r.rows, []int32{0, 1, 2}, r.store)
}

func (r *rig) emitted() string {
	b := r.in.Take()
	var sb strings.Builder
	for i := range b.Rows {
		for c, v := range b.Cols {
			if c > 0 {
				sb.WriteByte(' ')
			}
			if v.IsNull(i) {
				sb.WriteString("-")
				continue
			}
			sb.Write(column.AppendText(nil, v, i, types.UTC))
		}
		sb.WriteByte('\n')
	}
	return sb.String()
}

// body makes a text whose process has the given lines.
func body(lines string) string {
	return "def process(key, rows, state, timers):\n  " + strings.ReplaceAll(strings.TrimSpace(lines), "\n", "\n  ") + "\n"
}

// The language does what Python does, also where operators are calls in truth.
func TestLanguage(t *testing.T) {
	for _, c := range []struct{ lines, want string }{
		{`emit(key, sum([r.n for r in rows]), "n=%d" % len(rows))`, "a 6 n=3\n"},
		{"x = 1\nx += 2\nx *= 5\nx -= 1\nx //= 2\nemit(n = x)", "- 7 -\n"},
		{"l = [1]\nm = l\nl += [2]\nemit(n = len(m))", "- 2 -\n"},
		{"d = {'a': 1}\nd['a'] += 4\nd |= {'b': 2}\nemit(n = d['a'] + d['b'] * len(d))", "- 9 -\n"},
		{"a, (b, c) = 1, (2, 3)\nemit(n = a * 100 + b * 10 + c)", "- 123 -\n"},
		{"emit(what = 'hello'[1:3] + 'hello'[::-1] + 'abc'[-2:])", "- - elollehbc\n"},
		{"emit(what = ','.join(sorted(['b', 'a', 'c'], key = lambda s: s, reverse = True)))", "- - c,b,a\n"},
		{"emit(n = 1 if 2 in [1, 2] and 'x' not in 'abc' and (1, 2) < (1, 3) else 0)", "- 1 -\n"},
		{"n = 0\nwhile n < 5:\n  n += 1\nemit(n = n)", "- 5 -\n"},
		{"emit(n = max([r.n for r in rows]), what = str(rows[0]['id']))", "- 3 a\n"},
		{"d = rows[2].ts - rows[0].ts\nemit(n = int(d.minutes), what = (rows[0].ts + duration('90 seconds')).format('15:04:05'))", "- 2 00:01:30\n"},
		{"emit(n = 1 if timers.watermark == None else 0, what = timers.now.format('2006-01-02'))", "- 1 2001-09-09\n"},
		{"emit(what = '{}-{}'.format(key, {k: v for k, v in zip(['x'], [1])}))", "- - a-{\"x\": 1}\n"},
	} {
		r := newRig(t, body(c.lines))
		if err := r.process(); err != nil {
			t.Errorf("%s\n%v", c.lines, err)
		} else if got := r.emitted(); got != c.want {
			t.Errorf("%s\ngot  %swant %s", c.lines, got, c.want)
		}
	}
}

// A text that does not fit is refused with its line.
func TestRefusedTexts(t *testing.T) {
	for source, want := range map[string]string{
		"def process(key, rows, state, timers):\n  x = nosuch": "line 2: undefined: nosuch",
		"def process(key rows):\n  pass":                       "line 1: got identifier, want ','",
		"x = [0] * 9\n" + body("pass"):                         "line 1: outside of functions",
		"def f(*args):\n  pass\n" + body("pass"):               "line 1: *args",
		body("f(*rows)"):                                       "*args",
		body("rows.x = 1"):                                     "an attribute cannot be assigned",
		body("load('x', 'y')"):                                 "load",
		"def process(key, rows):\n  pass":                      "does not define process(key, rows, state, timers)",
		"":                                                     "does not define process",
		"states = {'n': value_state(ttl = '1 month')}\n" + body(`pass`): "no fixed length",
		"states = {'n': 1}\n" + body("pass"):                            "states maps names",
		"states = {'clear': value_state()}\n" + body("pass"):            "cannot be called",
		strings.Repeat("#", sourceMax+1):                                "longer than 64 KiB",
		"x = " + strings.Repeat("(", 60_000) + "\n":                     "line 1",
		"x = " + strings.Repeat("-", 60_000) + "1\n" + body("y"):        "excessive nesting",
	} {
		_, err := Compile("f", source, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %s", source, err, want)
		}
	}
}

// bombs are texts that ask for more than there is. Each must be stopped soon, with little memory, and take nothing else with it.
var bombs = []string{
	"while True:\n  pass",
	"for i in range(1000000000):\n  pass",
	"l = [1]\nwhile True:\n  l += l",
	"s = 'x'\nwhile True:\n  s += s",
	"s = 'x' * 1000000000",
	"l = [0] * 1000000000",
	"x = list(range(1000000000))",
	"x = any([False] + list(range(100000000)))",
	"x = 10\nwhile True:\n  x *= x",
	"x = sorted(range(1000000000))",
	"x = min(range(1000000000))",
	"x = sum(range(1000000000))",
	"x = ['y' * 1000000 for i in range(1000)]",
	"s = 'y' * 1000000\nx = ','.join([s for i in range(10000)])",
	"s = 'y' * 1000000\nx = s.replace('y', s)",
	"s = 'y' * 1000000\nx = s.replace('', s)",
	"s = 'y' * 1000000\nx = ('%s' * 1000) % tuple([s] * 1000)",
	"s = 'y' * 1000000\nx = ('{0}' * 1000).format(s)",
	"l = []\nfor i in range(60):\n  l = [l, l]\nx = str(l)",
	"l = []\nfor i in range(60):\n  l = [l, l]\nx = repr(l)",
	"a, b = [], []\nfor i in range(60):\n  a = [a] * 1000\n  b = [b] * 1000\nx = a == b",
	"t = ()\nfor i in range(60):\n  t = (t, t)\nx = {t: 1}",
	"t = ()\nfor i in range(60):\n  t = tuple([t] * 100)\nx = hash(t)",
	"t = (1,)\nfor i in range(60):\n  t = zip([t], [t])[0]\nx = {t: 1}",
	"t = (1,)\nfor i in range(60):\n  t = {t: t}.items()[0]\nx = {t: 1}",
	"t = (1,)\nfor i in range(60):\n  t += t\nx = {t: 1}",
	"l = []\nl.append(l)\nx = str(l)",
	"l = []\nl.append(l)\nm = []\nm.append(m)\nx = l == m",
	"x = sorted([[0] * 10000 for i in range(1000)])",
	"k = [0] * 100000\nx = sorted(range(10000), key = lambda i: k)",
	"d = {}\nfor i in range(100000000):\n  d[i] = {}",
	"l = [0] * 100000\nx = [l[:] for i in range(100000)]",
	"s = 'a,' * 500000\nx = [s.split(',') for i in range(1000)]",
	"s = 'ab' * 500000\nx = [s.upper() for i in range(100000)]",
	"l = [0] * 100000\nfor i in range(1000000):\n  l.insert(0, 1)",
	"l = list(range(100000))\nfor i in range(1000000):\n  x = -1 in l",
	"x = int('9' * 1000000)",
	"f = 'x'.join\nf([])",
	"state.n.set([0] * 1000000)",
	"l = []\nfor i in range(40):\n  l = [l, l]\nstate.n.set(l)",
	"l = []\nl.append(l)\nstate.n.set(l)",
	"for i in range(100000000):\n  state.m.set(i, 'x' * 1000)",
	"for i in range(100000000):\n  timers.at(rows[0].ts + i * duration('1 second'))",
	"for i in range(100000000):\n  emit('x' * 1000)",
	"def_x = lambda f: f(f)\ndef_x(def_x)",
	"x = [1][2]",
	"x = 1 // 0",
	"x = duration('1 day') // duration('0')",
	"fail('no')",
	"x = rows[0].nosuch",
	"emit(n = 'text')",
	"emit(n = 1.5)",
	"emit(n = 1 << 70)",
	"emit(nosuch = 1)",
	"emit(1, 2, 3, 4)",
	"emit(what = 'a\\x00b')",
	"emit(what = b'\\xff')",
}

func TestBombs(t *testing.T) {
	for _, lines := range bombs {
		source := "states = {'n': value_state(), 'm': map_state()}\n" + body("emit('before')\n"+lines) + "def on_timer(key, time, state, timers):\n  pass\n"
		r := newRig(t, source)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		err := r.process()
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		var f *Fault
		if !errors.As(err, &f) {
			t.Errorf("%s\nended with %v", lines, err)
		}
		if r.in.Rows() != 0 {
			t.Errorf("%s\nits rows were not taken back", lines)
		}
		if took > 5*time.Second {
			t.Errorf("%s\ntook %v", lines, took)
		}
		if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 600 {
			t.Errorf("%s\nallocated %d MiB", lines, mib)
		}
		t.Logf("%6d ms %5d MiB %.40q: %v", took.Milliseconds(), (after.TotalAlloc-before.TotalAlloc)>>20, lines, err)
		r.in.Begin(1e15, types.MinTime)
		if err := newRig(t, body("emit(n = 1)")).process(); err != nil {
			t.Fatal(err)
		}
	}
}

// Deep recursion is refused before the stack is.
func TestRecursion(t *testing.T) {
	r := newRig(t, "def f(n):\n  return g(n + 1)\ndef g(n):\n  return f(n)\n"+body("f(0)"))
	if err := r.process(); err == nil || !strings.Contains(err.Error(), "recursively") {
		t.Error(err)
	}
}

// State keeps what was stored: every kind of value, in lists and maps.
func TestStateRoundTrip(t *testing.T) {
	r := newRig(t, `
states = {"v": value_state(), "l": list_state(), "m": map_state()}
def process(key, rows, state, timers):
  x = state.v.get()
  if x == None:
    state.v.set([1, -1, 1 << 100, 1.5, "s", b"b", None, True, (1, 2), {"k": [1]}, set([3]), rows[1].ts, duration("1 s")])
    state.l.append("x")
    state.l.append("y")
    state.m.set("b", 2)
    state.m.set("a", 1)
    return
  emit(what = str(x == [1, -1, 1 << 100, 1.5, "s", b"b", None, True, (1, 2), {"k": [1]}, set([3]), rows[1].ts, duration("1 s")]))
  emit(what = "%s %s %s %s" % (state.l.get(), state.m.keys(), state.m.items(), state.m.get("c", "none")))
  state.m.remove("a")
  state.l.set(["z"])
  emit(what = "%s %s" % (state.l.get(), state.m.items()))
  state.clear()
  emit(what = "%s %s %s" % (state.v.get("gone"), state.l.get(), state.m.items()))
`)
	for range 2 {
		if err := r.process(); err != nil {
			t.Fatal(err)
		}
	}
	want := "- - True\n- - [\"x\", \"y\"] [\"a\", \"b\"] [(\"a\", 1), (\"b\", 2)] none\n- - [\"z\"] [(\"b\", 2)]\n- - gone [] []\n"
	if got := r.emitted(); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

// A state that is kept with a timer cannot be kept without one.
func TestWithTimer(t *testing.T) {
	r := newRig(t, `
states = {"n": value_state(with_timer = True)}
def process(key, rows, state, timers):
  state.n.set(1)
`)
	if err := r.process(); err == nil || !strings.Contains(err.Error(), "no timer is pending") {
		t.Error(err)
	}
}

func FuzzCompile(f *testing.F) {
	for _, b := range bombs[len(bombs)-12:] {
		f.Add(body(b))
	}
	f.Fuzz(func(t *testing.T, source string) {
		p, err := Compile("f", source, nil)
		if err != nil {
			return
		}
		r := newRig(t, source)
		start := time.Now()
		_ = r.process()
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
		_ = p
	})
}

func BenchmarkProcess(b *testing.B) {
	r := newRig(b, `
states = {"n": value_state()}
def process(key, rows, state, timers):
  n = state.n.get(0)
  for row in rows:
    n += row.n
    if n > 1000000:
      emit(key, n, "many")
      n = 0
  state.n.set(n)
`)
	for b.Loop() {
		if err := r.process(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(3*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
