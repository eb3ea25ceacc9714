package manual

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// Shells are the shells that Completion supports.
var Shells = []string{"bash", "zsh", "fish"}

// Completion returns a script that completes the commands and options of a program in a shell. The script contains a
// table of the words that may follow each command. Other words are completed as files.
func Completion(program *kong.Application, shell string) (string, error) {
	switch shell {
	case "bash":
		return fill(bashScript, program), nil
	case "zsh":
		return fill(zshScript, program), nil
	case "fish":
		return fill(fishScript, program), nil
	}
	return "", fmt.Errorf("%q is not one of the shells %s", shell, strings.Join(Shells, ", "))
}

// fill inserts the table into a script and replaces NAME by the program's name.
func fill(script string, program *kong.Application) string {
	var table strings.Builder
	paths, next := words(program)
	for _, path := range paths {
		if strings.HasPrefix(script, "# fish") {
			fmt.Fprintf(&table, "        case '%s'\n            printf '%%s\\n' %s\n", path, strings.Join(next[path], " "))
		} else {
			fmt.Fprintf(&table, "    '%s') echo '%s' ;;\n", path, strings.Join(next[path], " "))
		}
	}
	return strings.NewReplacer("NAME", program.Name, "TABLE\n", table.String()).Replace(script)
}

// pathScript defines functions that bash and zsh share: the words that may follow a command, and the command that was
// typed so far. An option before the command, such as --settings FILE, is skipped.
const pathScript = `_NAME_words() {
  case "$1" in
TABLE
  esac
}
_NAME_command() {
  local path= word next
  for word in "$@"; do
    next="${path:+$path }$word"
    if [ -n "$(_NAME_words "$next")" ]; then path=$next; fi
  done
  echo "$path"
}
`

const bashScript = "# bash completion of NAME\n" + pathScript + `_NAME() {
  local current=${COMP_WORDS[COMP_CWORD]}
  local path
  path=$(_NAME_command "${COMP_WORDS[@]:1:COMP_CWORD-1}")
  mapfile -t COMPREPLY < <(compgen -W "$(_NAME_words "$path")" -- "$current")
}
complete -o default -F _NAME NAME
`

const zshScript = "#compdef NAME\n" + pathScript + `_NAME() {
  local -a found
  found=(${=$(_NAME_words "$(_NAME_command "${(@)words[2,CURRENT-1]}")")})
  compadd -a found || _files
}
if [ "$funcstack[1]" = _NAME ]; then _NAME "$@"; else compdef _NAME NAME; fi
`

const fishScript = `# fish completion of NAME
function __NAME_words
    switch "$argv"
TABLE
    end
end
function __NAME_next
    set -l path
    for word in (commandline -opc)[2..]
        if test -n "$(__NAME_words $path $word)"
            set path $path $word
        end
    end
    __NAME_words $path
end
complete -c NAME -a '(__NAME_next)'
`
