package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"wmsql/server"
	"wmsql/sqlerr"
)

func checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Judge SQL scripts without a server",
		Long: `Judge SQL scripts: syntax, names, types, and whether the state of every continuous query stays bounded.

No server and no connection is needed. All faults of all files are reported, each with file, line and column, reason
and fix. The status is 1 when there is an error, 0 when there are none or warnings only. Files are read in order, so
that later ones may use what earlier ones define; "-" is standard input.`,
		Example: `  wmsql check schema.sql pipeline.sql
  cat schema.sql pipeline.sql | wmsql check -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return sqlerr.Newf(sqlerr.SyntaxError, "there is no file to check").
					WithHint("Name the scripts: wmsql check FILE...; \"-\" is standard input.")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return check(cmd.Context(), args, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}

func check(ctx context.Context, files []string, in io.Reader, out io.Writer) error {
	c, err := server.NewChecker(ctx, connectors("/"))
	if err != nil {
		return err
	}
	errors, warnings := 0, 0
	for _, name := range files {
		text, err := readScript(name, in)
		if err != nil {
			return err
		}
		for _, f := range c.Check(ctx, text) {
			if f.Severity == sqlerr.SevError {
				errors++
			} else {
				warnings++
			}
			fmt.Fprint(out, findingText(name, f))
		}
	}
	if err := c.Close(); err != nil {
		return err
	}
	if errors > 0 {
		fmt.Fprintf(out, "%s, %s\n", plural(errors, "error"), plural(warnings, "warning"))
		return errSilent
	}
	return nil
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// findingText writes a fault as compilers do, with its reason and fix below.
func findingText(file string, f server.Finding) string {
	word := "error"
	if f.Severity != sqlerr.SevError {
		word = "warning"
	}
	msg := f.Msg
	if !strings.HasPrefix(msg, string(f.Code)) {
		msg = string(f.Code) + ": " + msg
	}
	var sb strings.Builder
	fmt.Fprintf(&sb, "%s:%d:%d: %s: %s\n", file, f.Line, f.Column, word, msg)
	for _, part := range []struct{ label, text string }{{"DETAIL", f.Detail}, {"HINT", f.Hint}} {
		if part.text != "" {
			fmt.Fprintf(&sb, "  %s:  %s\n", part.label, strings.ReplaceAll(part.text, "\n", "\n    "))
		}
	}
	return sb.String()
}

// readScript reads a file, "-" for standard input.
func readScript(name string, in io.Reader) (string, error) {
	if name == "-" {
		b, err := io.ReadAll(in)
		return string(b), err
	}
	b, err := os.ReadFile(name)
	return string(b), err
}
