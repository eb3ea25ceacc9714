/** The address of a link to the operator's contact, an e-mail address or an https URL; null without one. */
export function contactLink(contact: string): string | null {
  if (contact === "") return null;
  return contact.includes("@") && !contact.includes("/") ? `mailto:${contact}` : contact;
}

/** A transaction's page at the explorer whose template has {txid}; null without one. */
export function explorerLink(template: string | undefined, txid: string): string | null {
  return template ? template.replace("{txid}", txid) : null;
}
