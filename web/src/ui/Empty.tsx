import { MoonSet } from "./art/MoonSet.tsx";

/** The text of a list without entries. */
export function Empty({ children }: { children: string }) {
  return (
    <div className="grid justify-items-center gap-4 py-6 text-center text-balance text-mist">
      <MoonSet className="w-28" ground="var(--color-den)" />
      <p>{children}</p>
    </div>
  );
}
