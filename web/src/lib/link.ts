/** A transaction's page at the explorer whose template has {txid}; null without one. */
export function explorerLink(template: string | undefined, txid: string): string | null {
  return template ? template.replace("{txid}", txid) : null;
}
