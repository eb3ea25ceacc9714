import type { ReactNode } from "react";

// Lists and choices that Go makes in a page that was rendered ahead (lib/served.ts).

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
