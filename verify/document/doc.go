// Package document reads the documents of docs/statements.md: signed statements, reward files and proofs. It accepts
// their canonical form only. It shares no code with the server.
package document
