import type { Site } from "./site.ts";

/** The address of a link to the operator's contact, an e-mail address or an https URL; null without one. */
export function contactLink(contact: string): string | null {
  if (contact === "") return null;
  return contact.includes("@") && !contact.includes("/") ? `mailto:${contact}` : contact;
}

/** A transaction's page at the explorer whose template has {txid}; null without one. */
export function explorerLink(template: string | undefined, txid: string): string | null {
  return template ? template.replace("{txid}", txid) : null;
}

/** The page of what can be checked. The fund's own is a part of its landing page. The server has the same rules. */
export function proofsLink({ variant }: Pick<Site, "variant">): string {
  return variant === "generic" ? "/#trust" : "/proofs";
}

/** Where the source code is published; without an address the part of the proofs that is about it. */
export function sourceLink({ variant, source }: Pick<Site, "variant" | "source">): string {
  return source || (variant === "generic" ? "/#source" : "/proofs#source");
}
