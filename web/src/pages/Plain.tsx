import { useEffect, useRef, type ReactNode } from "react";
import { MoonSet } from "../ui/art/MoonSet.tsx";

/** A page with one message. Its heading receives the focus. */
export function Plain({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <main
      id="content"
      className="mx-auto grid w-full max-w-xl flex-1 content-center justify-items-center px-6 py-16 text-center"
    >
      <MoonSet className="mb-8 w-48" />
      <h1 ref={heading} tabIndex={-1} className="text-3xl font-bold outline-none">
        {title}
      </h1>
      <div className="mt-4">{children}</div>
    </main>
  );
}
