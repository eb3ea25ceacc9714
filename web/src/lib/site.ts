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
  orders: "",
  orderKinds: [],
};

/** Reads the data block; what it leaves out has a default. */
function readSite(document: Document): Site {
  const block = document.getElementById("site")?.textContent;
  return block ? { ...fallback, ...(JSON.parse(block) as Partial<Site>) } : fallback;
}

export const site: Site = readSite(document);
