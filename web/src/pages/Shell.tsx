import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useSearch } from "wouter";
import { keys } from "../api/keys.ts";
import { EpochFooter } from "../epoch/EpochFooter.tsx";
import { cx } from "../lib/cx.ts";
import { shortAddress } from "../lib/format.ts";
import { language } from "../lib/language.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { disconnectWallet, useSession } from "../session/session.ts";
import { NightSky } from "../ui/art/NightSky.tsx";
import { Logo } from "../ui/art/Logo.tsx";
import { Button } from "../ui/Button.tsx";
import { Copied, useCopy } from "../ui/Copy.tsx";
import { FooterLinks } from "../ui/FooterLinks.tsx";
import { LeaveIcon, SwitchIcon } from "../ui/icons.tsx";
import { LanguageLinks } from "../ui/LanguageLinks.tsx";
import { SkipLink } from "../ui/SkipLink.tsx";

/** The frame of every page with a wallet: background, header, footer. */
export function Shell({
  onConnect,
  terms = true,
  sky = true,
  children,
}: {
  onConnect: () => void;
  /** A test community has no terms. */
  terms?: boolean;
  /** Whether narrow screens also show the picture behind the heading. */
  sky?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="relative flex min-h-dvh flex-col">
      <SkipLink target="content" label={text.header.skip} />
      <NightSky className={sky ? "" : "max-md:hidden"} />
      <Header onConnect={onConnect} />
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-290 flex-1 px-4 pb-6 outline-none sm:pb-12 sm:px-6"
      >
        {children}
      </main>
      <footer className="border-t border-line">
        <div
          className={cx(
            "mx-auto flex max-w-290 flex-wrap items-center gap-x-6 gap-y-3",
            "px-4 py-4 text-[0.9375rem] sm:px-6",
          )}
        >
          {site.variant !== "generic" && <EpochFooter />}
          <nav aria-label={text.visit.footer.more} className="flex flex-wrap items-center gap-x-4 lg:ml-auto">
            <LanguageLinks current={language} search={useSearch()} />
            {site.orders !== "" && (
              <Link href="/etch" className="inline-flex min-h-11 items-center underline-offset-4 hover:underline">
                {text.pages.etch}
              </Link>
            )}
            {terms && (
              <a href="/terms" className="inline-flex min-h-11 items-center underline-offset-4 hover:underline">
                {text.pages.terms}
              </a>
            )}
            <FooterLinks />
          </nav>
        </div>
      </footer>
    </div>
  );
}

/** The fund's landing page is a separate document; a dashboard is a route of the app. */
const Home = site.variant === "generic" ? "a" : Link;

function Header({ onConnect }: { onConnect: () => void }) {
  const session = useSession();
  const client = useQueryClient();
  async function leave(): Promise<void> {
    await disconnectWallet();
    client.removeQueries({ queryKey: keys.wallets });
  }
  return (
    <header className="mx-auto flex w-full max-w-290 items-center justify-between gap-2 px-4 py-4 sm:gap-3 sm:px-6">
      <Home
        href="/"
        aria-label={`${site.name || site.product}, ${text.header.home}`}
        className="flex min-h-11 items-center gap-3 no-underline"
      >
        <Logo />
        <span
          className={`hidden font-display text-xl font-bold text-moon ${session ? "sm:inline" : "min-[360px]:inline"}`}
        >
          {site.name || site.product}
        </span>
      </Home>
      {session ? (
        <div className="flex min-w-0 items-center gap-2 sm:gap-3">
          <AddressButton address={session.ordinals.address} />
          <HeaderButton name={text.header.switch} icon={<SwitchIcon />} onClick={onConnect} />
          <HeaderButton name={text.header.disconnect} icon={<LeaveIcon />} onClick={() => void leave()} />
        </div>
      ) : (
        <Button onClick={onConnect} className="bg-night/90">
          {text.header.connect}
        </Button>
      )}
    </header>
  );
}

/** An icon on narrow screens, a word on others. */
function HeaderButton({ name, icon, onClick }: { name: string; icon: ReactNode; onClick: () => void }) {
  return (
    <Button onClick={onClick} title={name} className="size-11 bg-night/90 px-0! sm:size-auto sm:px-4!">
      <span className="sm:hidden">{icon}</span>
      <span className="sr-only sm:not-sr-only">{name}</span>
    </Button>
  );
}

/** Shows six characters at each end; screen readers read, and a click copies, the whole address. */
function AddressButton({ address }: { address: string }) {
  const [state, copy, close] = useCopy();
  return (
    <>
      <button
        type="button"
        title={address}
        translate="no"
        onClick={() => copy(address)}
        className={cx(
          "min-h-11 rounded-box px-1 font-mono text-[0.8125rem] whitespace-nowrap text-fur",
          "transition-colors duration-120 hover:bg-raised sm:px-2 sm:text-sm",
        )}
      >
        {state === "copied" ? text.common.copied : shortAddress(address)}
        <span className="sr-only">{text.header.connectedAs(address)}</span>
      </button>
      <Copied state={state} value={address} label={text.header.connectedAs(address)} close={close} />
    </>
  );
}
