import type { ReactNode } from "react";

interface SectionProps {
  id: string;
  title: string;
  children: ReactNode;
  /** A second column, below the first one on a narrow screen. */
  beside?: ReactNode;
  /** Dark background instead of the light one. */
  dark?: boolean;
}

/** A section with a heading, which is the target of its hash. */
export function Section({ id, title, children, beside, dark = false }: SectionProps) {
  return (
    <section aria-labelledby={id} className={dark ? "bg-night text-fur" : "day bg-regolith text-slate"}>
      <div className="mx-auto max-w-290 px-4 py-6 sm:px-6">
        <div className={beside ? "grid gap-x-12 gap-y-6 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]" : ""}>
          <div>
            <h2 id={id} className={`scroll-mt-8 text-2xl font-bold sm:text-3xl ${dark ? "" : "text-basalt"}`}>
              {title}
            </h2>
            {children}
          </div>
          {beside}
        </div>
      </div>
    </section>
  );
}
