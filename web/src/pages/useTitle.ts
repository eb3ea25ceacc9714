import { useEffect } from "react";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";

/** Document titles of the pages other than the home page. The server writes the same (web/site.go). */
export const titles = {
  terms: text.pages.terms,
  etch: text.pages.etch,
  proofs: text.pages.proofs,
  transaction: text.pages.transaction,
  notFound: text.pages.notFoundName,
};

const home = site.name && site.name !== site.product ? `${site.name} · ${site.product}` : site.product;

/** Sets the document title; without `page`, the home page's title. */
export function useTitle(page?: keyof typeof titles): void {
  useEffect(() => {
    document.title = page ? `${titles[page]} · ${home}` : home;
  }, [page]);
}
