import type { ReactNode } from "react";
import { text } from "../lib/text.ts";
import { OutIcon } from "./icons.tsx";

/** An external link that opens a new tab. */
export function OutLink({ href, className = "", children }: { href: string; className?: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className={`inline-flex items-center gap-1 underline ${className}`}>
      <span className="min-w-0">{children}</span>
      <OutIcon className="size-3.5" />
      <span className="sr-only">({text.common.newTab})</span>
    </a>
  );
}
