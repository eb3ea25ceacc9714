/** The settings of this host that the server writes into the page (web.Site in Go). */
export interface Site {
  variant: "community" | "dummy" | "generic";
  /** Name of the whole fund. */
  product: string;
  /** Path prefix of the community's calls, without slashes. */
  prefix: string;
  /** Base URL of the product server; empty for the page's own origin. */
  apiBase: string;
  name: string;
  /** Short name of the token, without the $. */
  token: string;
  runeName: string;
  /** Decimals of the rune. */
  divisibility: number;
  network: string;
  tagline: string;
  /** The operator's e-mail address or https URL; may be empty. */
  contact: string;
  /** Description of the community. */
  description: string;
  /** URL of the logo; empty for none. */
  image: string;
  /** URL of the picture behind the heading; empty for the fund's own. */
  hero: string;
  /** Where the source code is published; empty if not configured. */
  source: string;
  /** Version of the server. */
  version: string;
  /** Service fee of an order, in sats. */
  serviceFee: number;
  /** Length of an epoch; 0 if epochs are ended manually. */
  epochSeconds: number;
  /** Approximate time after a deposit until the staker's key alone can spend it. */
  recoverySeconds: number;
  /** Base URL of the mint and etch service; empty if this site does not offer it. */
  orders: string;
  /** Kinds of orders that the service offers. */
  orderKinds: readonly string[];
}

const fallback: Site = {
  variant: "generic",
  product: "Moon Fund",
  prefix: "",
  apiBase: "",
  name: "Moon Fund",
  token: "",
  runeName: "",
  divisibility: 8,
  network: "mainnet",
  tagline: "",
  contact: "",
  description: "",
  image: "",
  hero: "",
  source: "",
  version: "",
  serviceFee: 0,
  epochSeconds: 0,
  recoverySeconds: 0,
  orders: "",
  orderKinds: [],
};

/** Reads the data block. Missing fields have defaults. */
function readSite(document: Document): Site {
  const block = document.getElementById("site")?.textContent;
  return block ? { ...fallback, ...(JSON.parse(block) as Partial<Site>) } : fallback;
}

export const site: Site = readSite(document);
