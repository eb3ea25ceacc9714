import type { ReactNode } from "react";
import { Catch } from "../ui/Catch.tsx";
import { BrokenPanel } from "./ErrorPage.tsx";

/** One failing panel never takes the page down. */
export function Panel({ children }: { children: ReactNode }) {
  return <Catch fallback={(id) => <BrokenPanel id={id} />}>{children}</Catch>;
}
