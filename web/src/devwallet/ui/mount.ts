import type { OpenQuestion } from "../questions";
import type { DevWallet } from "../wallet";
import { showQuestion } from "./dialog";
import { el } from "./dom";
import { panelOf } from "./panel";
import { adoptStyle } from "./style";

export interface Mounted {
  /** Shows a question, or removes the last one. */
  show(open: OpenQuestion | null): void;
  attach(wallet: DevWallet): void;
  fail(error: unknown): void;
}

/** Adds the wallet's button and panel to the page, in a shadow tree that the page's styles do not affect. */
export function mount(): Mounted {
  const host = el("div", { "data-moon-dev-wallet": true });
  const root = host.attachShadow({ mode: "open" });
  adoptStyle(root);
  const onPage = new Promise<void>((done) => {
    const put = () => {
      document.body.append(host);
      done();
    };
    if (document.body) put();
    else document.addEventListener("DOMContentLoaded", put, { once: true });
  });
  let hide: (() => void) | undefined;
  let latest: OpenQuestion | null = null;
  return {
    show(open) {
      hide?.();
      hide = undefined;
      latest = open;
      void onPage.then(() => {
        if (latest === open && open && !hide) hide = showQuestion(root, open);
      });
    },
    attach(wallet) {
      root.append(panelOf(wallet));
    },
    fail(error) {
      console.error("The dev wallet could not open.", error);
    },
  };
}
