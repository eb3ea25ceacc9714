import { site } from "../../lib/site.ts";
import { Maybe } from "../Maybe.tsx";
import { MoonPhase } from "./MoonPhase.tsx";

/** The community's logo. Without one, and on the fund's own pages, the fund's moon. */
export function Logo({ className = "size-10" }: { className?: string }) {
  return (
    <Maybe name="Image" value={site.image} no={<MoonPhase lit={0.72} className={className} />}>
      {(image) => <img src={image} alt="" width={40} height={40} className={`rounded-[10px] ${className}`} />}
    </Maybe>
  );
}
