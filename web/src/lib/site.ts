/** What the server writes into the page about the host it was asked for (web.Site in Go). */
export interface Site {
  variant: "community" | "dummy" | "generic";
  /** The whole fund's name. */
  product: string;
  /** Path prefix of the community's calls, without slashes. */
  prefix: string;
  /** Base URL of the product server; empty: the page's own origin. */
  apiBase: string;
  name: string;
  /** The token's short name, without the $. */
  token: string;
  runeName: string;
  network: string;
  tagline: string;
  /** The operator's e-mail address or https URL; may be empty. */
  contact: string;
  /** What the community is about. */
  description: string;
  /** Address of the logo; empty: none. */
  image: string;
  /** Address of the picture behind the heading; empty: the fund's own. */
  hero: string;
  /** Where the source code is published; empty: nobody said. */
  source: string;
  /** Of the server's program. */
  version: string;
  /** Sats of an order. */
  serviceFee: number;
  /** Length of an epoch; 0: epochs end by hand. */
  epochSeconds: number;
  /** About so long after a deposit the staker's key alone can spend it. */
  recoverySeconds: number;
  /** Base URL of the mint and etch service; empty: this site does not offer it. */
  orders: string;
  /** What of it is offered. */
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

/** Reads the data block; what it leaves out has a default. */
function readSite(document: Document): Site {
  const block = document.getElementById("site")?.textContent;
  return block ? { ...fallback, ...(JSON.parse(block) as Partial<Site>) } : fallback;
}

export const site: Site = readSite(document);
