// Package tools pins the code generators and linters in a module of its own, so that their dependencies never reach the
// server's. Run them from anywhere in the repository with
//
//	go -C tools tool oapi-codegen | sqlc | staticcheck | go-errorlint
package tools
