package setup

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/server/runeindex"
	"moonfund/internal/signer"
	"moonfund/internal/staking/community"
)

// Options are settings with defaults; setup does not prompt for them.
type Options struct {
	Folder      string `default:"/etc/moonfund" help:"Folder of settings, passphrase and manifests." type:"path"`
	ServiceUser string `default:"moonfund" help:"User of the system that runs the server."`
	Unit        string `help:"Where to write the systemd unit; none: nowhere. Default: nowhere if the package's fits."`
	Listen      string `default:"127.0.0.1:8080" help:"Listen address of pages and API, behind the proxy."`
	Metrics     string `default:"127.0.0.1:9464" help:"Listen address of /metrics."`
	Proxy       string `default:"127.0.0.1/32" help:"Network of the proxy that ends TLS."`
}

// Setup collects the answers and plans the files to write.
type Setup struct {
	Answers
	Options
	Program   string // path of this program, for the unit
	Now       func() time.Time
	Overwrite bool // replace existing files
	// DespiteChecks accepts doubtful answers, with a note.
	DespiteChecks bool
	Cookies       []string // where the node's cookie file may be

	// Ask shows a prompt and returns a line; nil without a terminal. Hidden is the same without an echo.
	Ask, Hidden func(prompt string) (string, error)
	Say         func(line string) // shows a line; may be nil
	// Passphrase prompts for the passphrase of the key file, twice if again is set.
	Passphrase func(again bool) (string, error)
	// ShowWords shows the words of a new bip39 key and asks for some of them; nil without a terminal.
	ShowWords func(signer.Secret) error
	// StatementKey is the key of the community's statements. Plan sets it from the key file.
	StatementKey string

	network         chain.Network
	node            *chain.Client
	etched          runeindex.Rune
	budget, minimum amount.Runes
	terms           string
	unasked         []string        // flags of the defaults that were used without a prompt
	doubted         string          // flag and text of the last doubtful answer
	kept            bool            // the answers are in the file of keep
	ctx             context.Context // of Collect, for the checks of answers
}

// Missing is the error of a setup without a terminal. It lists the flags of the missing answers.
type Missing []string

func (m Missing) Error() string {
	return "missing answers: --" + strings.Join(m, ", --") + " (there is no terminal to ask, or --yes was given)"
}

// Collect prompts for every answer that neither a flag nor a valid default gives. On a terminal it prompts again after
// a wrong answer, and goes on with the answers of an unfinished setup. Without a terminal, the error lists every
// missing and every wrong answer.
func (s *Setup) Collect(ctx context.Context) error {
	s.ctx = ctx
	if err := s.checkOptions(); err != nil {
		return err
	}
	if s.Ask != nil {
		s.recall()
	}
	var missing Missing
	var wrong []error
	for n, list := range [][]question{nodeQuestions, questions} {
		for i := 0; i < len(list); {
			q := list[i]
			switch again, err := s.answer(q); {
			case errors.Is(err, errNoAnswer):
				missing = append(missing, q.flag)
			case err != nil && s.Ask != nil:
				return fmt.Errorf("%w\nNothing was set up. To go on from here:\n  %s", err, s.Resume())
			case err != nil:
				wrong = append(wrong, fmt.Errorf("--%s: %w", q.flag, err))
			case again:
				for ; q.back > 0; q.back-- {
					i--
					*list[i].field(&s.Answers) = ""
				}
				continue
			}
			i++
		}
		if s.node = s.client(); n == 0 && s.Ask != nil {
			s.sayNode(CheckNode(ctx, s.node, s.network, s.Now()))
		}
	}
	if len(missing) > 0 {
		wrong = append(wrong, missing)
	}
	s.sayUnasked()
	return errors.Join(wrong...)
}

// sayNode shows what the node lacks before the other questions are asked.
func (s *Setup) sayNode(findings []Finding) {
	for _, f := range findings {
		if f.Level != OK {
			s.say(fmt.Sprintf("  %s  %s: %s. %s", f.Level, f.Check, f.Found, f.Do))
		}
	}
}

var errNoAnswer = errors.New("no answer")

// doubt is the error of an answer that is possible but probably wrong. It is accepted when it is repeated.
type doubt struct{ text string }

func (d doubt) Error() string { return d.text }

// answer checks the answer of a flag, uses the default, or prompts once. It reports whether the question must be
// repeated.
func (s *Setup) answer(q question) (again bool, err error) {
	if q.asked != nil && !q.asked(s) {
		return false, nil
	}
	field := q.field(&s.Answers)
	if *field == "" {
		usual := ""
		if q.usual != nil {
			usual = q.usual(s)
		}
		if s.Ask == nil && usual == "" && !q.mayBeBlank(s) {
			return false, errNoAnswer
		}
		if q.quiet && s.takeUnasked(q, usual) {
			return false, nil
		}
		if *field, err = s.ask(q, usual); err != nil {
			return false, err
		}
	}
	text := *field
	err = s.validate(q)
	if unsure := (doubt{}); errors.As(err, &unsure) && (s.doubted == q.flag+text || s.DespiteChecks) {
		s.say("Note: " + unsure.text)
		err = nil
	} else if errors.As(err, &unsure) {
		s.doubted, err = q.flag+text, fmt.Errorf("%w. %s", err, s.doubtAdvice())
	}
	if err != nil && s.Ask == nil {
		return false, err
	}
	if err != nil {
		s.say("  " + err.Error())
		*field = ""
		return true, nil
	}
	if q.after != nil {
		s.say(q.after(s))
	}
	s.keep()
	return false, nil
}

func (s *Setup) doubtAdvice() string {
	if s.Ask == nil {
		return "If you mean it, add --despite-checks"
	}
	return "If you mean it, type it again"
}

// takeUnasked uses a default without a prompt. It reports whether the default is valid.
func (s *Setup) takeUnasked(q question, usual string) bool {
	field := q.field(&s.Answers)
	if *field = usual; usual == "" || s.Ask == nil || s.validate(q) != nil {
		*field = ""
		return false
	}
	s.unasked = append(s.unasked, q.flag)
	if q.after != nil {
		s.say(q.after(s))
	}
	return true
}

// sayUnasked lists the defaults that were used without a prompt.
func (s *Setup) sayUnasked() {
	var flags []string
	for _, q := range allQuestions() {
		if slices.Contains(s.unasked, q.flag) {
			flags = append(flags, "\n  --"+q.flag+" "+quoteSetting(*q.field(&s.Answers)))
		}
	}
	if len(flags) > 0 {
		s.say("Not asked; a flag changes it:" + strings.Join(flags, ""))
	}
}

func allQuestions() []question { return slices.Concat(nodeQuestions, questions) }

// validate checks the answer in the question's field.
func (s *Setup) validate(q question) error {
	if *q.field(&s.Answers) == "" && !q.mayBeBlank(s) {
		return errors.New("an answer is needed")
	}
	if q.check == nil {
		return nil
	}
	return q.check(s)
}

// mayBeBlank reports whether the answer may be empty. Terms are required on mainnet only, and without a terminal a user
// replaces the cookie file.
func (q question) mayBeBlank(s *Setup) bool {
	return q.flag == "node-cookie" && s.Ask == nil || q.flag == "terms" && s.Network != "mainnet"
}

// ask returns the typed line, or the default for an empty line or without a terminal.
func (s *Setup) ask(q question, usual string) (string, error) {
	if s.Ask == nil {
		return usual, nil
	}
	prompt, ask := q.prompt, s.Ask
	if usual != "" {
		prompt += " [" + usual + "]"
	}
	if q.secret {
		ask = s.Hidden
	}
	text, err := ask(prompt)
	if text = strings.TrimSpace(text); text == "" {
		text = usual
	}
	return text, err
}

// Resume returns the command that goes on with the answers so far. It contains no secret.
func (s *Setup) Resume() string {
	words := []string{"moonfund setup"}
	if os.Getenv("SUDO_USER") != "" {
		words[0] = "sudo " + words[0]
	}
	for _, q := range allQuestions() {
		if value := *q.field(&s.Answers); value != "" && !q.secret && !s.kept {
			words = append(words, "--"+q.flag+" "+quoteSetting(value))
		}
	}
	for _, option := range [][3]string{
		{"folder", s.Folder, DefaultFolder}, {"service-user", s.ServiceUser, DefaultUser}, {"unit", s.Unit, ""},
		{"listen", s.Listen, "127.0.0.1:8080"}, {"metrics", s.Metrics, "127.0.0.1:9464"}, {"proxy", s.Proxy, "127.0.0.1/32"},
	} {
		if option[1] != option[2] {
			words = append(words, "--"+option[0]+" "+quoteSetting(option[1]))
		}
	}
	if s.Overwrite {
		words = append(words, "--overwrite")
	}
	return strings.Join(words, " ")
}

// client returns a client of the node in the answers.
func (s *Setup) client() *chain.Client {
	return chain.NewClient(chain.ClientConfig{
		URL: s.NodeURL, User: s.NodeUser, Password: s.NodePassword, CookieFile: s.NodeCookie,
	})
}

// lookUp reads a rune from the chain. If the node does not respond, or its chain does not have the block yet, lookUp
// returns no error: CheckNode reports the node.
func (s *Setup) lookUp(id runes.ID) error {
	s.etched = runeindex.Rune{}
	if s.node == nil || s.network.Params == nil || nodeAway(s.ctx, s.node, s.network) {
		return nil
	}
	_, best, err := s.node.Best(s.ctx)
	if err != nil || id.Block > uint64(best) {
		return err
	}
	found, err := runeindex.LookUp(s.ctx, s.node, runes.RulesFor(s.network), id)
	if err != nil {
		return err
	}
	s.etched = found
	if found.Divisibility != amount.RuneDecimals {
		s.say(fmt.Sprintf("Note: on the chain %s has %d decimals; all amounts here have %d.", found.Name, found.Divisibility,
			amount.RuneDecimals))
	}
	return nil
}

func (s *Setup) say(line string) {
	if s.Say != nil && line != "" {
		s.Say(line)
	}
}

// checkOptions returns an error if an option is invalid, or if the machine has manifests already and Overwrite is not
// set.
func (s *Setup) checkOptions() error {
	for flag, address := range map[string]string{"--listen": s.Listen, "--metrics": s.Metrics} {
		if err := CheckAddress(address); err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
	}
	if _, err := netip.ParsePrefix(s.Proxy); err != nil {
		return fmt.Errorf("--proxy is %q; it must be a network such as 127.0.0.1/32", s.Proxy)
	}
	manifests := filepath.Join(s.Folder, communitiesName)
	paths, err := community.Files(manifests)
	if err != nil || len(paths) == 0 || s.Overwrite {
		return err
	}
	return fmt.Errorf("there are manifests in %s already: `moonfund doctor` checks this server. For another community, "+
		"write its manifest (see `moonfund manifest example`) and run `moonfund community add`. "+
		"--overwrite sets the server up again", manifests)
}

// Check runs the checks that need no server: the node, the clock, the disk, the folders, the domain and the user. It
// must be called after Collect.
func (s *Setup) Check(ctx context.Context) (all []Finding) {
	now := s.Now()
	all = CheckNode(ctx, s.node, s.network, now)
	all = append(all, CheckClock(ctx, s.node, now, ClockSynchronized), CheckDisk(s.Data, s.Network),
		CheckFolder("settings", s.Folder), CheckFolder("data", s.Data), CheckFolder("key", filepath.Dir(s.Key)),
		checkBackups(s.Backups, s.Data), CheckName(ctx, s.Prefix+"."+s.Domain))
	return append(all, s.checkUser())
}

// checkUser checks that the system has the user of the server.
func (s *Setup) checkUser() Finding {
	const check = "user"
	if os.Geteuid() != 0 {
		return warn(check, "setup does not run as root: the files belong to you",
			"Run it with sudo where systemd starts the server.")
	}
	if _, err := s.owner(); err != nil {
		return failed(check, err.Error(), "Create it: adduser --system --group --no-create-home "+s.ServiceUser)
	}
	return ok(check, s.ServiceUser+" runs the server")
}
