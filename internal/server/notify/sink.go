package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// Sink is a receiver of events. Its address and its secrets are never logged or stored.
type Sink struct {
	Name    string // webhook, ntfy or telegram
	request func(ctx context.Context, m message, at time.Time) (*http.Request, error)
}

// Config configures the receivers. A receiver without an address is not used. Secrets are read from files.
type Config struct {
	Webhook       string // address
	WebhookSecret string // file with whsec_… or another base64 text of 24 to 64 bytes
	Ntfy          string // address of the topic
	NtfyToken     string // file with an access token; "": the topic needs none
	Telegram      string // id of the chat
	TelegramToken string // file with the token of the bot
	TelegramAPI   string // address of another server of the Bot API; "": Telegram's
}

// Lengths of a webhook's secret in bytes, by the Standard Webhooks specification.
const (
	minSecret = 24
	maxSecret = 64
)

const telegramAPI = "https://api.telegram.org"

// Sinks returns the configured receivers. An error names the flag to correct, and contains no secret.
func (c Config) Sinks() (sinks []Sink, err error) {
	for _, add := range []func() (*Sink, error){c.webhook, c.ntfy, c.telegram} {
		s, err := add()
		if err != nil {
			return nil, err
		}
		if s != nil {
			sinks = append(sinks, *s)
		}
	}
	return sinks, nil
}

// webhook returns the sink that posts signed JSON according to the Standard Webhooks specification, or nil if no
// address is configured.
func (c Config) webhook() (*Sink, error) {
	if c.Webhook == "" {
		if c.WebhookSecret != "" {
			return nil, errors.New("--notify-webhook-secret is given without --notify-webhook")
		}
		return nil, nil
	}
	if err := checkAddress("--notify-webhook", c.Webhook); err != nil {
		return nil, err
	}
	text, err := readSecret("--notify-webhook-secret", c.WebhookSecret)
	if err != nil {
		return nil, err
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, "whsec_"))
	if err != nil || len(key) < minSecret || len(key) > maxSecret {
		return nil, fmt.Errorf("--notify-webhook-secret: the file must contain whsec_ and the base64 text of %d to %d bytes",
			minSecret, maxSecret)
	}
	return &Sink{"webhook", func(ctx context.Context, m message, at time.Time) (*http.Request, error) {
		body, err := m.json()
		if err != nil {
			return nil, err
		}
		r, err := post(ctx, c.Webhook, body)
		if err != nil {
			return nil, err
		}
		stamp := strconv.FormatInt(at.Unix(), 10)
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", m.id, stamp, body)
		r.Header.Set("webhook-id", m.id)
		r.Header.Set("webhook-timestamp", stamp)
		r.Header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		return r, nil
	}}, nil
}

// ntfy returns the sink that publishes JSON to a topic of an ntfy server, or nil if no address is configured.
func (c Config) ntfy() (*Sink, error) {
	if c.Ntfy == "" {
		if c.NtfyToken != "" {
			return nil, errors.New("--notify-ntfy-token is given without --notify-ntfy")
		}
		return nil, nil
	}
	if err := checkAddress("--notify-ntfy", c.Ntfy); err != nil {
		return nil, err
	}
	address, topic, found := cutLast(strings.TrimSuffix(c.Ntfy, "/"), "/")
	if !found || topic == "" || strings.HasSuffix(address, "/") {
		return nil, errors.New("--notify-ntfy must be the address of a topic, such as https://ntfy.sh/a-name-nobody-guesses")
	}
	token := ""
	if c.NtfyToken != "" {
		var err error
		if token, err = readSecret("--notify-ntfy-token", c.NtfyToken); err != nil {
			return nil, err
		}
	}
	return &Sink{"ntfy", func(ctx context.Context, m message, _ time.Time) (*http.Request, error) {
		priority := 3 // ntfy's default
		if m.urgent {
			priority = 4 // high
		}
		r, err := postJSON(ctx, address+"/", map[string]any{
			"topic": topic, "title": m.title, "message": m.text, "priority": priority,
		})
		if err == nil && token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		return r, err
	}}, nil
}

// telegram returns the sink that sends messages of a bot to a chat, or nil if no chat is configured.
func (c Config) telegram() (*Sink, error) {
	if c.Telegram == "" {
		if c.TelegramToken != "" {
			return nil, errors.New("--notify-telegram-token is given without --notify-telegram")
		}
		return nil, nil
	}
	token, err := readSecret("--notify-telegram-token", c.TelegramToken)
	if err != nil {
		return nil, err
	}
	api := c.TelegramAPI
	if api == "" {
		api = telegramAPI
	}
	if err := checkAddress("--notify-telegram-api", api); err != nil {
		return nil, err
	}
	address := strings.TrimSuffix(api, "/") + "/bot" + url.PathEscape(token) + "/sendMessage"
	return &Sink{"telegram", func(ctx context.Context, m message, _ time.Time) (*http.Request, error) {
		return postJSON(ctx, address, map[string]any{
			"chat_id": c.Telegram, "text": m.title + "\n\n" + m.text, "disable_notification": !m.urgent,
		})
	}}, nil
}

func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return "", "", false
	}
	return text[:i], text[i+len(separator):], true
}

// checkAddress returns an error for an address that is not an http or https URL. The error does not contain the
// address, which may contain a secret.
func checkAddress(flag, address string) error {
	if page, err := url.Parse(address); err != nil || page.Host == "" ||
		(page.Scheme != "https" && page.Scheme != "http") {
		return fmt.Errorf("%s must be an address such as https://example.org/notify", flag)
	}
	return nil
}

// maxSecretFile is the maximum size of a file with a secret, in bytes.
const maxSecretFile = 4096

// readSecret reads a secret from a file with a single line. The error names the flag.
func readSecret(flag, path string) (string, error) {
	if path == "" {
		return "", fmt.Errorf("%s is needed: the file with the secret", flag)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", flag, err)
	}
	if info.Size() > maxSecretFile {
		return "", fmt.Errorf("%s: the file is larger than %d bytes", flag, maxSecretFile)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", flag, err)
	}
	secret := strings.TrimSpace(string(text))
	if secret == "" || strings.ContainsAny(secret, " \r\n\t") {
		return "", fmt.Errorf("%s: the file must contain the secret in one line", flag)
	}
	return secret, nil
}

func postJSON(ctx context.Context, address string, body any) (*http.Request, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return post(ctx, address, text)
}

func post(ctx context.Context, address string, body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the address is not valid") // err contains the address
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "moonfund")
	return r, nil
}
