import { renderToStaticMarkup } from "react-dom/server";
import { landingText } from "../lib/landingText.ts";
import { LandingPage } from "../pages/LandingPage.tsx";

/** The landing page as a template for Go's html/template: web/scripts/prerender.mjs writes it into the build. */
export function landingPage(): string {
  return `<!doctype html>${renderToStaticMarkup(<LandingPage words={landingText} language="en" />)}`;
}
