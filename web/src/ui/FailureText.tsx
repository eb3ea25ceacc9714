import type { Failure } from "../lib/failure.ts";
import { text } from "../lib/text.ts";
import { Disclosure } from "./Disclosure.tsx";

/** A failure: what the page says about it and, in its details, the catalogue's sentence. */
export function FailureText({ failure: { message, details } }: { failure: Failure }) {
  return (
    <>
      <p>{message}</p>
      {details !== null && (
        <Disclosure title={text.common.details} className="-mb-2 text-sm">
          <p lang="en" className="wrap-anywhere text-mist">
            {details}
          </p>
        </Disclosure>
      )}
    </>
  );
}
