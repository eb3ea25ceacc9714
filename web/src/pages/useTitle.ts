import { useEffect } from "react";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";

/** What the pages beside the home are called in the browser's tab. The server writes the same (web/site.go). */
export const titles = {
  terms: text.pages.terms,
  etch: text.pages.etch,
  proofs: text.pages.proofs,
  transaction: text.pages.transaction,
  notFound: text.pages.notFoundName,
};

const home = site.name && site.name !== site.product ? `${site.name} · ${site.product}` : site.product;

/** Names the page in the browser's tab; without a name it is the site's home. */
export function useTitle(page?: keyof typeof titles): void {
  useEffect(() => {
    document.title = page ? `${titles[page]} · ${home}` : home;
  }, [page]);
}
