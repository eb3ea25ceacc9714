package api

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
)

// csvPage is the number of journal entries per query while writing the CSV file.
const csvPage = 500

// Activity is GET activity.
func (h *handler) Activity(ctx context.Context, r ActivityRequestObject) (ActivityResponseObject, error) {
	w, err := h.wallet(r.Params.WWalletCode, r.Params.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	limit, err := pageSize(r.Params.Limit, 200)
	if err != nil {
		return nil, err
	}
	before := int64(0)
	if r.Params.Before != nil {
		if before = *r.Params.Before; before < 1 {
			return nil, fault.Reject(fault.NumberOutOfRange, "before", 1, int64(1)<<62)
		}
	}
	site := visitOf(ctx).site
	lines, err := h.services.Ledger.Journal(ctx, site.Prefix, w, before, limit)
	if err != nil {
		return nil, err
	}
	list := each(lines, func(l JournalLine) Activity { return wireActivity(l, site) })
	return Activity200JSONResponse{Success: true, Data: &ActivityList{Activity: list}}, nil
}

// serveActivityCSV is GET activity.csv. It writes the whole journal of a wallet, newest first, in the format of RFC
// 4180.
func (h *handler) serveActivityCSV(w http.ResponseWriter, r *http.Request) {
	query, site := r.URL.Query(), visitOf(r.Context()).site
	for _, key := range []string{"w_wallet_code", "w_wallet_code_ord"} {
		if query.Get(key) == "" {
			h.writeFault(w, r, fault.Reject(fault.MissingKey, key))
			return
		}
	}
	wallet, err := h.wallet(query.Get("w_wallet_code"), query.Get("w_wallet_code_ord"))
	if err != nil {
		h.writeFault(w, r, err)
		return
	}
	page, err := h.services.Ledger.Journal(r.Context(), site.Prefix, wallet, 0, csvPage)
	if err != nil {
		h.writeFault(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s-activity.csv"`, site.Prefix))
	if err := h.writeCSV(r.Context(), csv.NewWriter(w), site, wallet, page); err != nil {
		h.log.WarnContext(r.Context(), "activity.csv was cut short", "error", err)
		panic(http.ErrAbortHandler) // abort, so that the client notices an incomplete file
	}
}

func (h *handler) writeCSV(ctx context.Context, out *csv.Writer, site Site, wallet action.Wallet,
	page []JournalLine) error {
	out.UseCRLF = true
	if err := out.Write([]string{"id", "date", "kind", "amount", "sats", "txid", "order_id", "epoch",
		"text"}); err != nil {
		return err
	}
	for len(page) > 0 {
		for _, line := range page {
			if err := out.Write(csvRow(wireActivity(line, site))); err != nil {
				return err
			}
		}
		if len(page) < csvPage {
			break
		}
		var err error
		if page, err = h.services.Ledger.Journal(ctx, site.Prefix, wallet, page[len(page)-1].Number, csvPage); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func csvRow(a Activity) []string {
	number := func(n *int64) string {
		if n == nil {
			return ""
		}
		return strconv.FormatInt(*n, 10)
	}
	return []string{
		strconv.FormatInt(a.Id, 10), a.Date.Format("2006-01-02T15:04:05Z07:00"), plain(a.Kind), plain(value(a.Amount)),
		number(a.Sats),
		plain(value(a.Txid)), plain(value(a.OrderId)), number(a.Epoch), plain(a.Text),
	}
}

// plain quotes a cell that a spreadsheet would evaluate as a formula (OWASP, CSV injection).
func plain(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

// wireActivity converts a posting of the journal.
func wireActivity(l JournalLine, site Site) Activity {
	a := Activity{Id: l.Number, Date: l.Cause.At.UTC(), Kind: kindOf(l.Event)}
	if l.Cause.Kind == "instruction" && l.Event == string(ledger.CompoundSigned) {
		a.Kind = "AUTO_COMPOUNDED"
	}
	what := ""
	switch l.Asset {
	case ledger.RuneAsset:
		units := amount.Runes(l.Amount)
		text := units.String()
		a.Amount, what = &text, units.Decimal(site.Rune.Divisibility)+" "+site.Token
	case ledger.SatsAsset:
		a.Sats, what = &l.Amount, strconv.FormatInt(l.Amount, 10)+" sats"
	}
	a.Text = sentence(what, l)
	for _, account := range []string{l.From, l.To} {
		if strings.HasPrefix(account, "order:") {
			a.OrderId = &l.Subject
		} else if id, ok := strings.CutPrefix(account, "paid:"); ok {
			a.OrderId = &id
		}
	}
	if out, err := ledger.ParseOutPoint(l.Subject); err == nil {
		txid := out.Hash.String()
		a.Txid = &txid
	} else if l.Cause.Kind == "mempool" {
		a.Txid = textOrNull(l.Cause.ID)
	} else {
		a.Txid = textOrNull(l.PayoutTxid)
	}
	if l.Cause.Kind == "epoch" {
		if n, err := strconv.ParseInt(l.Cause.ID, 10, 64); err == nil {
			a.Epoch = &n
		}
	}
	return a
}

// kindOf converts the name of an event to upper case with underscores, for example "payment begun" to PAYMENT_BEGUN.
func kindOf(event string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z':
			return c - 'a' + 'A'
		case c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
			return c
		}
		return '_'
	}, event)
}

// sentence describes a posting: what (an amount with its unit, or ""), the event, and the accounts.
func sentence(what string, l JournalLine) string {
	text := l.Event
	if what != "" {
		text = what + ": " + l.Event
	}
	from, to := place(l.From), place(l.To)
	switch {
	case from == to:
		return text + "."
	case from == "":
		return fmt.Sprintf("%s, now %s.", text, to)
	case to == "":
		return fmt.Sprintf("%s, no longer %s.", text, from)
	}
	return fmt.Sprintf("%s, from %s to %s.", text, from, to)
}

// place returns the readable part of an account name: "PENDING" for "order:PENDING", "" for "outside".
func place(account string) string {
	if account == ledger.Outside {
		return ""
	}
	return account[strings.LastIndex(account, ":")+1:]
}
