package expr

import "wmsql/column"

// The makers below turn a function of one row into a kernel. A, B and C are what reader reads; R is a fixed-width value.
// The names end in the arity, then e if the function may fail, s if it is made anew for each compiled call.

func fn0s[R any](mk func(*site) func() (R, error)) kernel {
	return func(s *site) body {
		f, out := mk(s), output[R]{t: s.ret}
		return func(_ []column.Vector, nulls []bool, n int) (column.Vector, error) {
			return out.fill(nulls, n, func(int) (R, error) { return f() })
		}
	}
}

func fn1s[A, R any](mk func(*site) func(A) (R, error)) kernel {
	return func(s *site) body {
		f, out := mk(s), output[R]{t: s.ret}
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			a := reader[A](in[0])
			return out.fill(nulls, n, func(i int) (R, error) { return f(a(i)) })
		}
	}
}

func fn1e[A, R any](f func(A) (R, error)) kernel {
	return fn1s(func(*site) func(A) (R, error) { return f })
}

func fn1[A, R any](f func(A) R) kernel {
	return fn1e(func(a A) (R, error) { return f(a), nil })
}

func fn2s[A, B, R any](mk func(*site) func(A, B) (R, error)) kernel {
	return func(s *site) body {
		f, out := mk(s), output[R]{t: s.ret}
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			a, b := reader[A](in[0]), reader[B](in[1])
			return out.fill(nulls, n, func(i int) (R, error) { return f(a(i), b(i)) })
		}
	}
}

func fn2e[A, B, R any](f func(A, B) (R, error)) kernel {
	return fn2s(func(*site) func(A, B) (R, error) { return f })
}

func fn2[A, B, R any](f func(A, B) R) kernel {
	return fn2e(func(a A, b B) (R, error) { return f(a, b), nil })
}

func fn3s[A, B, C, R any](mk func(*site) func(A, B, C) (R, error)) kernel {
	return func(s *site) body {
		f, out := mk(s), output[R]{t: s.ret}
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			a, b, c := reader[A](in[0]), reader[B](in[1]), reader[C](in[2])
			return out.fill(nulls, n, func(i int) (R, error) { return f(a(i), b(i), c(i)) })
		}
	}
}

func fn3e[A, B, C, R any](f func(A, B, C) (R, error)) kernel {
	return fn3s(func(*site) func(A, B, C) (R, error) { return f })
}

// The tx makers are the same for functions whose result is a byte string: they append it to dst.

func tx1s[A any](mk func(*site) func(dst []byte, a A) ([]byte, error)) kernel {
	return func(s *site) body {
		f, out := mk(s), bytesOutput{t: s.ret}
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			a := reader[A](in[0])
			return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) { return f(dst, a(i)) })
		}
	}
}

func tx1e[A any](f func(dst []byte, a A) ([]byte, error)) kernel {
	return tx1s(func(*site) func([]byte, A) ([]byte, error) { return f })
}

func tx1[A any](f func(dst []byte, a A) []byte) kernel {
	return tx1e(func(dst []byte, a A) ([]byte, error) { return f(dst, a), nil })
}

func tx2s[A, B any](mk func(*site) func(dst []byte, a A, b B) ([]byte, error)) kernel {
	return func(s *site) body {
		f, out := mk(s), bytesOutput{t: s.ret}
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			a, b := reader[A](in[0]), reader[B](in[1])
			return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) { return f(dst, a(i), b(i)) })
		}
	}
}

func tx2e[A, B any](f func(dst []byte, a A, b B) ([]byte, error)) kernel {
	return tx2s(func(*site) func([]byte, A, B) ([]byte, error) { return f })
}

func tx2[A, B any](f func(dst []byte, a A, b B) []byte) kernel {
	return tx2e(func(dst []byte, a A, b B) ([]byte, error) { return f(dst, a, b), nil })
}

func tx3s[A, B, C any](mk func(*site) func(dst []byte, a A, b B, c C) ([]byte, error)) kernel {
	return func(s *site) body {
		f, out := mk(s), bytesOutput{t: s.ret}
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			a, b, c := reader[A](in[0]), reader[B](in[1]), reader[C](in[2])
			return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) { return f(dst, a(i), b(i), c(i)) })
		}
	}
}

func tx3e[A, B, C any](f func(dst []byte, a A, b B, c C) ([]byte, error)) kernel {
	return tx3s(func(*site) func([]byte, A, B, C) ([]byte, error) { return f })
}

// anys is the slow way, for functions of the catalog, of json and of arrays: every argument of a row as a datum (nil: NULL),
// the result as a datum.
func anys(mk func(*site) func(args []any) (any, error)) kernel {
	return func(s *site) body {
		f := mk(s)
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			args := make([]any, len(in))
			return fillAny(s.ret, nulls, n, func(i int) (any, error) {
				for k, v := range in {
					args[k] = column.Get(v, i)
				}
				return f(args)
			})
		}
	}
}

// anysOf is anys for a function that needs nothing of its call.
func anysOf(f func(args []any) (any, error)) kernel {
	return anys(func(*site) func([]any) (any, error) { return f })
}

// tx0 makes a kernel of a function without arguments whose result is a byte string.
func tx0(f func(s *site, dst []byte) []byte) kernel {
	return func(s *site) body {
		out := bytesOutput{t: s.ret}
		return func(_ []column.Vector, nulls []bool, n int) (column.Vector, error) {
			return out.fill(nulls, n, func(dst []byte, _ int) ([]byte, error) { return f(s, dst), nil })
		}
	}
}
