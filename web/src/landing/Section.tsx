import type { ReactNode } from "react";

interface SectionProps {
  id: string;
  title: string;
  children: ReactNode;
  /** Dark background instead of the light one. */
  dark?: boolean;
}

/** A section with a heading, which is the target of its hash. */
export function Section({ id, title, children, dark = false }: SectionProps) {
  return (
    <section aria-labelledby={id} className={dark ? "bg-night text-fur" : "day bg-regolith text-slate"}>
      <div className="mx-auto max-w-290 px-4 py-12 sm:px-6 sm:py-14">
        <h2 id={id} className={`scroll-mt-8 text-3xl font-bold sm:text-4xl ${dark ? "" : "text-basalt"}`}>
          {title}
        </h2>
        {children}
      </div>
    </section>
  );
}
