import { site, type SiteCommunity } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { WolfMark } from "../ui/art/WolfMark.tsx";

/** The communities of the fund, each with its picture and a way to its own page. */
export function Communities() {
  return (
    <section aria-labelledby="communities" className="mt-16">
      <h2 id="communities" className="text-3xl font-bold">
        {text.landing.communities}
      </h2>
      {site.communities.length === 0 && <p className="mt-4 text-mist">{text.landing.none}</p>}
      <ul className="mt-6 grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {site.communities.map((community) => (
          <li key={community.name}>
            <Card community={community} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Card({ community }: { community: SiteCommunity }) {
  const content = (
    <>
      {community.image ? <img src={community.image} alt="" className="size-12 rounded-box" /> : <WolfMark className="size-12" />}
      <h3 className="mt-3 text-xl font-bold">{community.name}</h3>
      <p className="mt-1 text-fur">
        {text.landing.token} ${community.token}
      </p>
      {community.ordinals && (
        <p className="text-mist">
          {text.landing.ordinals} {community.ordinals}
        </p>
      )}
      <p className="mt-3 text-ice">{community.subdomain ? text.landing.visit(community.name) : text.landing.soon}</p>
    </>
  );
  if (!community.subdomain) return <div className="card p-6">{content}</div>;
  return (
    <a
      href={siblingURL(window.location, community.subdomain)}
      target="_blank"
      rel="noreferrer"
      className="card block p-6 no-underline transition-colors duration-120 hover:border-edge"
    >
      {content}
      <span className="sr-only">({text.common.newTab})</span>
    </a>
  );
}

/** The same site under another first label: from localhost:8080 or www.fund.org to lobo.… */
export function siblingURL(at: Pick<Location, "protocol" | "hostname" | "port">, label: string): string {
  const labels = at.hostname.split(".");
  const base = labels.at(-1) === "localhost" ? ["localhost"] : labels.length > 2 ? labels.slice(1) : labels;
  return `${at.protocol}//${[label, ...base].join(".")}${at.port && `:${at.port}`}/`;
}
