import { useEffect, useRef, type ReactNode } from "react";

/** A page with one thing to say. The focus starts at its heading. */
export function Plain({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <main className="mx-auto grid min-h-dvh max-w-xl content-center justify-items-center px-6 py-16 text-center">
      <svg aria-hidden="true" viewBox="0 0 120 60" className="mb-8 w-48">
        <circle cx="60" cy="34" r="20" fill="#f6dfad" />
        <circle cx="67" cy="30" r="20" fill="var(--color-night)" />
        <path d="M0 56l24-14 18 10 22-16 20 14 16-8 20 12v6H0z" fill="#172138" />
      </svg>
      <h1 ref={heading} tabIndex={-1} className="text-3xl font-bold outline-none">
        {title}
      </h1>
      <div className="mt-4">{children}</div>
    </main>
  );
}
