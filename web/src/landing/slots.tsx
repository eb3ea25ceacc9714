import type { ReactNode } from "react";

/**
 * The landing page is rendered at build time, before anyone knows what its server will say. What only the server knows is
 * left to Go's html/template, by actions that stand in the markup as text: web/landing.go holds the names and fills them in,
 * escaped for where they stand.
 */
export const slot = (name: string): string => `{{.${name}}}`;

/** Inside of Each: a name of the page, not of the item. */
export function Each({ list, children }: { list: string; children: ReactNode }) {
  return (
    <>
      {`{{range .${list}}}`}
      {children}
      {"{{end}}"}
    </>
  );
}

/** `yes` where Go has something under that name, else `no`. */
export function When({ name, yes, no = null }: { name: string; yes: ReactNode; no?: ReactNode }) {
  return (
    <>
      {`{{if .${name}}}`}
      {yes}
      {no !== null && "{{else}}"}
      {no}
      {"{{end}}"}
    </>
  );
}

/** `children` with the names of `name` as their own, where Go has it. */
export function With({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      {`{{with .${name}}}`}
      {children}
      {"{{end}}"}
    </>
  );
}
