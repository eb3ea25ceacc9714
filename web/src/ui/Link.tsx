import type { ReactNode } from "react";
import { isInApp } from "../lib/device.ts";
import { text } from "../lib/text.ts";
import { OutIcon } from "./icons.tsx";

/** Browsers inside apps, such as wallets, open no tabs: there, a link to another site replaces the page. */
const hasTabs = import.meta.env.SSR || !isInApp(navigator);

/** The attributes of a link to another site, which opens a new tab if there are tabs. */
export const newTab: { target?: "_blank"; rel: "noreferrer" } = hasTabs
  ? { target: "_blank", rel: "noreferrer" }
  : { rel: "noreferrer" };

/** An external link that opens a new tab, if there are tabs. */
export function OutLink({ href, className = "", children }: { href: string; className?: string; children: ReactNode }) {
  return (
    <a href={href} {...newTab} className={`inline-flex items-center gap-1 underline ${className}`}>
      <span className="min-w-0">{children}</span>
      <OutIcon className="size-3.5" />
      {newTab.target && <span className="sr-only">({text.common.newTab})</span>}
    </a>
  );
}
