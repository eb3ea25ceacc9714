package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"strconv"
	"time"
)

// home is the HTML that a dashboard shows before its script runs. The build renders it with React, with actions of
// html/template where the text depends on the server (web/src/lib/served.ts). The script replaces it.
type home struct {
	page     *template.Template
	language language
}

func readHome(dist fs.FS, l language, variant string) (*home, error) {
	raw, err := fs.ReadFile(dist, "pages/"+l.Code+"/"+variant+".html")
	if err != nil {
		return nil, fmt.Errorf("web: the built page of a %s: %w", variant, err)
	}
	page, err := template.New(variant).Parse(string(raw))
	if err != nil {
		return nil, fmt.Errorf("web: the built page of a %s: %w", variant, err)
	}
	return &home{page, l}, nil
}

// homeWords are the fields for the template of a dashboard.
type homeWords struct {
	siteWords
	Token, RuneName, Tagline, Description, Hero, Notice string
	ServiceFee                                          string // sats
	EpochLength, Recovery                               string // as text; EpochLength may be empty: no fixed length
	figureWords
}

// globals are the figures in the format of infoGlobals, and the server's time, for the start of the script.
type globals struct {
	TotalStaked string    `json:"total_staked"`
	TotalIssued string    `json:"total_issued"`
	Epoch       int64     `json:"epoch"`
	NextEpoch   time.Time `json:"end_next_epoch_UTC"`
	Notice      string    `json:"frontNotice"`
	Now         time.Time `json:"time"`
}

// render returns the first HTML and the data block with its figures; both are empty if there are no figures.
func (h *home) render(ctx context.Context, site Site) (seen, block []byte, err error) {
	figures, known := askFigures(ctx, site.Figures)
	if !known {
		return nil, nil, nil
	}
	words := homeWords{
		siteWords: site.words(), Token: site.Token, RuneName: site.RuneName, Tagline: site.Tagline,
		Description: site.Description, Hero: site.Hero, Notice: figures.Notice,
		ServiceFee:  h.language.decimal(strconv.FormatInt(site.ServiceFee, 10), ""),
		EpochLength: h.language.duration(site.EpochSeconds), Recovery: h.language.duration(site.RecoverySeconds),
		figureWords: figures.words(h.language),
	}
	var page bytes.Buffer
	if err := h.page.Execute(&page, words); err != nil {
		return nil, nil, err
	}
	data, err := json.Marshal(globals{ // escapes <, > and &, so that no text can end the block
		figures.TotalStaked, figures.TotalIssued, figures.Epoch, figures.NextEpoch.UTC(), figures.Notice, figures.Now.UTC(),
	})
	if err != nil {
		return nil, nil, err
	}
	return page.Bytes(), fmt.Appendf(nil, `<script type="application/json" id="globals">%s</script>`, data), nil
}
