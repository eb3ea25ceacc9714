import { cx } from "../../lib/cx.ts";
import { servedOr } from "../../lib/served.ts";
import { site } from "../../lib/site.ts";
import ridge from "./ridge.svg";

/**
 * The picture behind the head of a page: the community's, or the fund's moon over a ridge. On narrow screens the moon
 * is above the heading, on others to its right, so that no text overlaps it. On tablets less of the ridge is visible,
 * to leave room for the heading.
 */
export function NightSky({ className = "" }: { className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={`sky pointer-events-none absolute inset-x-0 top-0 -z-10 overflow-hidden ${className}`}
    >
      <img
        src={servedOr("Hero", site.hero, ridge)}
        alt=""
        width={1440}
        height={480}
        className={cx(
          "mt-2 h-46 w-full object-cover object-[80%_100%] sm:mt-8 sm:h-64 sm:object-[75.7%_100%]",
          "md:mt-0 md:h-110 md:object-[right_-220px_bottom_0] lg:object-[100%_100%]",
        )}
      />
      <div className="absolute inset-x-0 bottom-0 h-24 bg-linear-to-t from-night to-transparent" />
      <div className="absolute inset-x-0 top-2 h-8 sm:top-8 bg-linear-to-b from-night to-transparent md:hidden" />
    </div>
  );
}
