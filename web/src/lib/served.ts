/**
 * Pages are rendered at build time, before anyone knows what their server will say. What only the server
 * knows is left to Go's html/template, by actions that stand in the markup as text; Go holds their names and
 * fills them in, escaped for where they stand (web/home.go, web/landing.go).
 */
export const slot = (name: string): string => `{{.${name}}}`;

/** A value of the running page; in a page that is being rendered ahead, the slot for it. */
export function served<T>(name: string, value: T): T | string {
  return import.meta.env.SSR ? slot(name) : value;
}

/** `served` for a text that may be empty, with what stands there then. */
export function servedOr(name: string, value: string, otherwise: string): string {
  return import.meta.env.SSR ? `{{if .${name}}}${slot(name)}{{else}}${otherwise}{{end}}` : value || otherwise;
}
