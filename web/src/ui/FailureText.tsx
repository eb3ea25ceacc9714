import type { ReactNode } from "react";
import type { Failure } from "../lib/failure.ts";
import { text } from "../lib/text.ts";
import { Disclosure } from "./Disclosure.tsx";

interface FailureTextProps {
  /** Null if its reason is not known. */
  failure: Failure | null;
  /** What to do about it. */
  children?: ReactNode;
}

/** A failure: what the page says about it and, in its details, the catalogue's sentence. */
export function FailureText({ failure, children }: FailureTextProps) {
  const details = failure?.details;
  return (
    <>
      {failure && <p>{failure.message}</p>}
      {children}
      {details && (
        <Disclosure title={text.common.details} className="-mb-2 text-sm">
          <p lang="en" className="wrap-anywhere text-mist">
            {details}
          </p>
        </Disclosure>
      )}
    </>
  );
}
