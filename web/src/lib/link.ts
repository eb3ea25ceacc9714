import type { Site } from "./site.ts";

/** Returns the href of the operator's contact, an e-mail address or an https URL; null without one. */
export function contactLink(contact: string): string | null {
  if (contact === "") return null;
  return contact.includes("@") && !contact.includes("/") ? `mailto:${contact}` : contact;
}

/** Returns a transaction's page at the explorer, whose template contains {txid}; null without an explorer. */
export function explorerLink(template: string | undefined, txid: string): string | null {
  return template ? template.replace("{txid}", txid) : null;
}

/**
 * Returns the address of the proofs page. On the fund's own host it is a section of the landing page. Same rules as the
 * server.
 */
export function proofsLink({ variant }: Pick<Site, "variant">): string {
  return variant === "generic" ? "/#trust" : "/proofs";
}

/** Returns where the source code is published; without an address, the section about it on the proofs page. */
export function sourceLink({ variant, source }: Pick<Site, "variant" | "source">): string {
  return source || (variant === "generic" ? "/#source" : "/proofs#source");
}

/** The pages about what stakers trust the operator with, and about recovery without them (web/guide.go). */
export const trustPath = "/trust";
export const recoverPath = "/recover";
