import { Link } from "wouter";
import { text } from "../lib/text.ts";
import { Plain } from "./Plain.tsx";

export function NotFoundPage() {
  return (
    <Plain title={text.pages.notFound}>
      <p className="text-mist">{text.pages.notFoundTitle}</p>
      <p className="mt-4">
        <Link href="/" className="inline-flex min-h-11 items-center underline">
          {text.pages.home}
        </Link>
      </p>
    </Plain>
  );
}
