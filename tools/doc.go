// Package tools pins the code generators, the linters and what makes packages in a separate module, so that their
// dependencies are not dependencies of the server. Run them from the root of the repository with
//
//	go -C tools tool oapi-codegen | sqlc | staticcheck | go-errorlint | nfpm | crane | cyclonedx-gomod
package tools
