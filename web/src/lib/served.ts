/**
 * Pages are rendered at build time, before the server's values are known. Slots for those values are actions of Go's
 * html/template that the markup contains as text. Go defines their names and fills them in with contextual escaping
 * (web/home.go, web/landing.go).
 */
export const slot = (name: string): string => `{{.${name}}}`;

/** Returns the value in the running page, and its slot in a prerendered page. */
export function served<T>(name: string, value: T): T | string {
  return import.meta.env.SSR ? slot(name) : value;
}

/** Like `served`, for a text that may be empty; `otherwise` replaces an empty text. */
export function servedOr(name: string, value: string, otherwise: string): string {
  return import.meta.env.SSR ? `{{if .${name}}}${slot(name)}{{else}}${otherwise}{{end}}` : value || otherwise;
}
