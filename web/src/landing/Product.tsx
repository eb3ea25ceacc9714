import type { Language } from "../lib/language.ts";
import type { LandingText } from "../lib/text/en.landing.ts";
import { Section } from "./Section.tsx";

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };

/** Screenshots of a community's page, made from the page itself (e2e/pictures.ts). */
export function Product({ words: { product }, language }: { words: LandingText; language: Language }) {
  const file = (name: string) => `/assets/product/${language}-${name}.webp`;
  return (
    <Section id="product" title={product.title}>
      <figure className="mt-8">
        <div className="flex items-end gap-[4%]">
          <img
            src={file("desk")}
            alt={product.desk}
            {...DESK}
            loading="lazy"
            className="hidden h-auto min-w-0 flex-[1280] rounded-card border border-dune sm:block"
          />
          <img
            src={file("phone")}
            alt={product.phone}
            {...PHONE}
            loading="lazy"
            className={
              "mx-auto h-auto max-h-160 w-auto max-w-full min-w-0 rounded-sheet border-4 border-basalt " +
              "sm:max-h-none sm:flex-[280]"
            }
          />
        </div>
        <figcaption className="mt-4 text-lg">{product.caption}</figcaption>
      </figure>
    </Section>
  );
}
