import type { ReactNode } from "react";
import { Catch } from "../ui/Catch.tsx";
import { BrokenPanel } from "./ErrorPage.tsx";

/** A section with an error boundary: an error in one panel does not remove the page. */
export function Panel({ children }: { children: ReactNode }) {
  return <Catch fallback={(id) => <BrokenPanel id={id} />}>{children}</Catch>;
}
