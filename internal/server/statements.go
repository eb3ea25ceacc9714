package server

import (
	"fmt"
	"path/filepath"

	"moonfund/internal/server/publisher"
	"moonfund/internal/signed/statement"
)

// statementFolder is the folder of the archive of statements in the data folder.
const statementFolder = "statements"

// statementSigner signs statements and certifies receipt keys.
type statementSigner interface {
	publisher.Signer
	publisher.Certifier
}

// publish creates the publisher of statements and receipts.
func (s *Server) publish(sign statementSigner) (err error) {
	if s.statements, err = s.newPublisher(sign); err != nil {
		return err
	}
	s.receipts = &publisher.Receipts{
		Communities: s.statements.Communities, Store: s.Store, Certifier: sign, Leads: s.Leads, Now: s.Clock.Read, Log: s.Log,
	}
	return nil
}

// newPublisher returns the publisher of the communities whose manifests have a statement key. It returns an error if
// the signer has another key for a community.
func (s *Server) newPublisher(sign publisher.Signer) (*publisher.Publisher, error) {
	p := &publisher.Publisher{
		Store: s.Store, Signer: sign, Leads: s.Leads, Log: s.Log,
		Archive: statement.Archive(filepath.Join(s.Data, statementFolder)),
	}
	for _, m := range s.Communities {
		own, known := s.Signing.Accounts.StatementKeys[m.Account]
		switch {
		case m.StatementKey == "" && known:
			s.Log.Warn("no statements are published: the community's manifest has no statement_key", "community", m.Prefix,
				"add to its manifest", fmt.Sprintf("statement_key = %q", own))
			continue
		case m.StatementKey == "":
			continue
		case !known:
			return nil, fmt.Errorf("community %s: the signer has no statement key: start it with this version", m.Prefix)
		case own.String() != m.StatementKey:
			return nil, fmt.Errorf("community %s: statement_key in the manifest is %s, but the signer signs statements with "+
				"%s", m.Prefix, m.StatementKey, own)
		}
		p.Communities = append(p.Communities, publisher.Community{Prefix: m.Prefix, Account: m.Account, Key: own})
	}
	return p, nil
}
