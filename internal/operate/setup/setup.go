package setup

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
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
	ctx             context.Context // of Collect, for the checks of answers
}

// Missing is the error of a setup without a terminal. It lists the flags of the missing answers.
type Missing []string

func (m Missing) Error() string {
	return "missing answers: --" + strings.Join(m, ", --") + " (there is no terminal to ask, or --yes was given)"
}

// Collect prompts for every answer without a flag. On a terminal it prompts again after a wrong answer. Without a
// terminal, the error lists every missing and every wrong answer.
func (s *Setup) Collect(ctx context.Context) error {
	s.ctx = ctx
	if err := s.checkOptions(); err != nil {
		return err
	}
	var missing Missing
	var wrong []error
	for _, list := range [][]question{nodeQuestions, questions} {
		for _, q := range list {
			if q.asked != nil && !q.asked(s) {
				continue
			}
			switch err := s.answer(q); {
			case errors.Is(err, errNoAnswer):
				missing = append(missing, q.flag)
			case err != nil && s.Ask != nil:
				return fmt.Errorf("%w\nNothing was written. To go on from here:\n  %s", err, s.Resume())
			case err != nil:
				wrong = append(wrong, fmt.Errorf("--%s: %w", q.flag, err))
			}
		}
		s.node = s.client()
	}
	if len(missing) > 0 {
		wrong = append(wrong, missing)
	}
	return errors.Join(wrong...)
}

var errNoAnswer = errors.New("no answer")

// answer checks the answer of a flag, uses the default, or prompts.
func (s *Setup) answer(q question) error {
	field := q.field(&s.Answers)
	usual := ""
	if q.usual != nil {
		usual = q.usual(s)
	}
	given := *field != ""
	for {
		if !given {
			if s.Ask == nil && usual == "" && !q.mayBeBlank(s) {
				return errNoAnswer
			}
			text, err := s.ask(q, usual)
			if err != nil {
				return err
			}
			*field = text
		}
		err := s.validate(q)
		if err == nil {
			if q.after != nil {
				s.say(q.after(s))
			}
			return nil
		}
		if s.Ask == nil {
			return err
		}
		s.say("  " + err.Error())
		*field, given = "", false
	}
}

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

// mayBeBlank reports whether the answer may be empty. Terms are required on mainnet only.
func (q question) mayBeBlank(s *Setup) bool {
	return q.blank || q.flag == "terms" && s.Network != "mainnet"
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

// Resume returns the command that repeats the setup with the answers so far. It contains no secret.
func (s *Setup) Resume() string {
	words := []string{"moonfund setup"}
	for _, q := range append(append([]question{}, nodeQuestions...), questions...) {
		if value := *q.field(&s.Answers); value != "" && !q.secret {
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
