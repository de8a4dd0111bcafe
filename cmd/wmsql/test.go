package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"wmsql/internal/script"
	"wmsql/sqlerr"
)

// testOptions are the flags of test.
type testOptions struct {
	rewrite bool
	verbose bool
}

func testCommand() *cobra.Command {
	o := &testOptions{}
	c := &cobra.Command{
		Use:   "test FILE...",
		Short: "Run test scripts of pipelines",
		Long: `Run test scripts of pipelines: definitions, micro-batches of rows, restarts and crashes, and what is expected to come out.

Each script runs in this process, on an engine of its own with an empty store in memory and a clock that stands still; no server, port,
broker or disk is needed. A stream gets its rows from the script, whatever connector its definition names. What differs from what was
expected is shown, and the status is 1. A directory stands for all .txt files below it.`,
		Example: `  wmsql test tests/
  wmsql test -v log_counts.txt
  wmsql test --rewrite log_counts.txt   # then read the difference before you commit it`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return sqlerr.Newf(sqlerr.SyntaxError, "there is no script to run").
					WithHint("Name scripts or directories: wmsql test FILE...")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			paths, err := testScripts(args)
			if err != nil {
				return err
			}
			return o.run(paths, cmd.OutOrStdout())
		},
	}
	f := c.Flags()
	f.BoolVar(&o.rewrite, "rewrite", false, "write what the scripts print into them, in the place of what was expected")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "list the scripts and their directives")
	return c
}

// testScripts are the files, those of directories in the order of their names.
func testScripts(args []string) (paths []string, err error) {
	for _, arg := range args {
		before := len(paths)
		err := filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (path == arg || filepath.Ext(path) == ".txt") {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(paths) == before {
			return nil, sqlerr.Newf(sqlerr.UndefinedFile, "there are no scripts in %s", arg).
				WithHint("Scripts end in .txt; a script by another name is run when it is named itself.")
		}
	}
	return paths, nil
}

// run runs the scripts, all of them whatever comes of one.
func (o *testOptions) run(paths []string, out io.Writer) error {
	failed := 0
	for _, path := range paths {
		err := o.one(path, out)
		if err == nil {
			continue
		}
		failed++
		if !errors.Is(err, errSilent) {
			printError(err)
		}
	}
	if failed > 0 {
		fmt.Fprintf(out, "%s, %d failed\n", plural(len(paths), "script"), failed)
		return errSilent
	}
	fmt.Fprintf(out, "%s passed\n", plural(len(paths), "script"))
	return nil
}

// one runs a script. errSilent says that it printed something else than was expected, which has been shown.
func (o *testOptions) one(path string, out io.Writer) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	verbs := script.NewVerbs()
	f, err := script.Parse(path, string(text), verbs)
	if err != nil {
		return err
	}
	e, err := script.New(script.Options{Connectors: connectors("/"), Dir: filepath.Dir(path)})
	if err != nil {
		return err
	}
	printed, err := f.Run(e, verbs)
	err = errors.Join(err, e.Close())
	faults := f.Compare(printed)
	if o.verbose {
		o.list(f.Directives[:len(printed)], path, faults, out)
	}
	if o.rewrite && err == nil {
		return rewritten(path, string(text), f.Text(printed), out)
	}
	for _, fault := range faults {
		fmt.Fprint(out, fault)
	}
	if len(faults) > 0 && err == nil {
		return errSilent
	}
	return err
}

// list tells of each directive that was carried out whether it printed what was expected.
func (o *testOptions) list(done []*script.Directive, path string, faults []*script.Fault, out io.Writer) {
	for _, d := range done {
		word := "ok"
		if len(faults) > 0 && faults[0].Directive == d {
			faults, word = faults[1:], "differs"
		}
		fmt.Fprintf(out, "%s:%d: %s: %s\n", path, d.Line, strings.Join(append([]string{d.Verb}, d.Args...), " "), word)
	}
}

// rewritten writes a script that has changed.
func rewritten(path, before, after string, out io.Writer) error {
	if before == after {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: rewritten\n", path)
	return os.WriteFile(path, []byte(after), info.Mode().Perm())
}
