import { createElement, Fragment, type ReactNode } from "react";

// Loops and conditions that Go's template evaluates in a prerendered page (lib/served.ts). They are no JSX, which would
// give their texts elements (lib/jsx/jsx-runtime.ts).

/** Go renders `children` for each item of `list`. Names inside refer to the item. */
export function Each({ list, children }: { list: string; children: ReactNode }) {
  return createElement(Fragment, null, `{{range .${list}}}`, children, "{{end}}");
}

/** Go renders `yes` if the value is not empty, else `no`. */
export function When({ name, yes, no = null }: { name: string; yes: ReactNode; no?: ReactNode }) {
  return createElement(Fragment, null, `{{if .${name}}}`, yes, no !== null && "{{else}}", no, "{{end}}");
}

/** Renders `children` with the fields of `name` in scope, if Go has a value. */
export function With({ name, children }: { name: string; children: ReactNode }) {
  return createElement(Fragment, null, `{{with .${name}}}`, children, "{{end}}");
}
