import { MoonSet } from "./art/MoonSet.tsx";

/** What a list says while there is nothing in it. */
export function Empty({ children }: { children: string }) {
  return (
    <div className="grid justify-items-center gap-5 py-10 text-center text-balance text-mist sm:py-14">
      <MoonSet className="w-36" ground="var(--color-den)" />
      <p>{children}</p>
    </div>
  );
}
