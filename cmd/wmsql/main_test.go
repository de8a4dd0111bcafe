package main

import (
	"net"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"wmsql": main})
}

// TestCommands runs the program as a user does. ADDR is an address that nothing listens on.
func TestCommands(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "../../testdata/cmd",
		Setup: func(e *testscript.Env) error {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			defer l.Close()
			e.Setenv("ADDR", l.Addr().String())
			e.Setenv("WMSQL_URL", "postgres://wmsql@"+l.Addr().String()+"/wmsql?sslmode=disable")
			return nil
		},
	})
}
