// Package manual generates man pages and shell completions from the definitions of the commands and flags.
package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Page is a man page.
type Page struct {
	Name string // of the file, for example moonfund-order.1
	Text string
}

// Pages returns a page for the program and one for each top-level command. source is the name of the version, and date
// the date of the pages.
func Pages(program *kong.Application, source, date string) (pages []Page) {
	overview := header(program.Name, program.Help, source, date)
	overview += ".SH SYNOPSIS\n.B " + escape(program.Name) + "\n[\\fIoptions\\fR] \\fIcommand\\fR\n.SH COMMANDS\n"
	for _, command := range visible(program.Node) {
		name := program.Name + "-" + command.Name
		overview += ".TP\n.BR " + escape(name) + " (1)\n" + escape(command.Help) + "\n"
		pages = append(pages, Page{name + ".1", header(name, command.Help, source, date) + synopses(program, command)})
	}
	overview += ".SH OPTIONS\n" + options(program.Flags)
	overview += ".SH ENVIRONMENT\nA variable named with an option sets it. \\fBMOONFUND_PASSPHRASE_FILE\\fR names a " +
		"file with the passphrase of the key file.\n.SH FILES\n.TP\n.I /etc/moonfund/moonfund.env\n" +
		"Settings of the server and of every command, as \\fBmoonfund setup\\fR writes them.\n"
	return append(pages, Page{program.Name + ".1", overview})
}

// header returns the beginning of a page. The purpose is the first sentence of the help, without its period.
func header(name, help, source, date string) string {
	purpose, _, _ := strings.Cut(help+" ", ". ")
	return fmt.Sprintf(".TH %s 1 %s %s \"Moon Fund\"\n.SH NAME\n%s \\- %s\n", quote(strings.ToUpper(name)), quote(date),
		quote(source), escape(name), escape(purpose))
}

// synopses describes the leaf commands of a command, each with its arguments and options.
func synopses(program *kong.Application, command *kong.Node) (text string) {
	leaves := command.Leaves(true)
	if len(leaves) == 0 {
		leaves = []*kong.Node{command}
	}
	for _, leaf := range leaves {
		text += ".SH " + quote(strings.ToUpper(leaf.Path())) + "\n.B " + escape(program.Name+" "+leaf.Path()) + "\n"
		for _, argument := range leaf.Positional {
			text += "\\fI" + escape(argument.Summary()) + "\\fR\n"
		}
		text += "[\\fIoptions\\fR]\n.PP\n" + escape(leaf.Help) + "\n"
		for _, argument := range leaf.Positional {
			text += ".TP\n.I " + escape(argument.Name) + "\n" + escape(argument.Help) + "\n"
		}
		text += options(leaf.Flags)
	}
	return text
}

func options(flags []*kong.Flag) (text string) {
	for _, flag := range flags {
		if flag.Hidden {
			continue
		}
		text += ".TP\n"
		if flag.Short != 0 {
			text += "\\fB\\-" + string(flag.Short) + "\\fR, "
		}
		text += "\\fB\\-\\-" + escape(flag.Name) + "\\fR"
		if !flag.IsBool() {
			text += "=\\fI" + escape(flag.FormatPlaceHolder()) + "\\fR"
		}
		text += "\n" + escape(flag.Help) + "\n"
		if len(flag.Envs) > 0 {
			text += "Variable: \\fB" + escape(strings.Join(flag.Envs, ", ")) + "\\fR.\n"
		}
	}
	return text
}

// visible returns the commands below a node that are not hidden.
func visible(node *kong.Node) (commands []*kong.Node) {
	for _, child := range node.Children {
		if child.Type == kong.CommandNode && !child.Hidden {
			commands = append(commands, child)
		}
	}
	return commands
}

// escape escapes text for roff: on one line, without requests.
func escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ", "…", "...").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

func quote(text string) string { return `"` + strings.ReplaceAll(escape(text), `"`, `\(dq`) + `"` }

// words returns, for each command path, the words that may follow it: commands, or options with their two dashes.
func words(program *kong.Application) (paths []string, by map[string][]string) {
	by = map[string][]string{}
	var walk func(node *kong.Node, path string)
	walk = func(node *kong.Node, path string) {
		var next []string
		for _, child := range visible(node) {
			next = append(next, child.Name)
			walk(child, strings.TrimSpace(path+" "+child.Name))
		}
		isLeaf := len(next) == 0
		for _, flags := range node.AllFlags(true) {
			for _, flag := range flags {
				if isLeaf || path == "" {
					next = append(next, "--"+flag.Name)
				}
			}
		}
		if isLeaf {
			for _, argument := range node.Positional {
				if argument.Enum != "" {
					next = append(next, strings.Split(argument.Enum, ",")...)
				}
			}
		}
		paths, by[path] = append(paths, path), next
	}
	walk(program.Node, "")
	slices.Sort(paths)
	return paths, by
}
