import type { Language } from "../lib/language.ts";
import type { LandingText } from "../lib/text/en.landing.ts";

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };

/** A screenshot of a community's page, made from the page itself (e2e/pictures.ts). */
export function Product({ words: { product }, language }: { words: LandingText; language: Language }) {
  const file = (name: string) => `/assets/product/${language}-${name}.webp`;
  return (
    <figure>
      <img
        src={file("desk")}
        alt={product.desk}
        {...DESK}
        loading="lazy"
        className="hidden h-auto w-full rounded-card border border-dune sm:block"
      />
      <img
        src={file("phone")}
        alt={product.phone}
        {...PHONE}
        loading="lazy"
        className="mx-auto h-auto max-h-110 w-auto max-w-full rounded-sheet border-4 border-basalt sm:hidden"
      />
      <figcaption className="mt-2 text-sm">{product.caption}</figcaption>
    </figure>
  );
}
