import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

/** Tests say what the network answers; a call that none expects fails. */
vi.stubGlobal("fetch", (input: RequestInfo | URL) =>
  Promise.reject(new Error(`unexpected request: ${input instanceof Request ? input.url : input.toString()}`)),
);

afterEach(() => void vi.useRealTimers());

// Tests of pure code may run without a page.
if (typeof document !== "undefined") {
  // The page's text tells more than its markup, and fits a screen. What is loaded when it is needed may take its time.
  configure({
    asyncUtilTimeout: 10_000,
    getElementError: (message) => new Error(`${message ?? ""}\n\n${document.body.textContent}`),
  });

  // What a server writes into the page; the addresses of the tests are of this network.
  const site = Object.assign(document.createElement("script"), { id: "site", type: "application/json" });
  site.textContent = JSON.stringify({ network: "regtest" });
  document.head.append(site);

  vi.stubGlobal(
    "EventSource",
    class extends EventTarget {
      close(): void {}
    },
  );

  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe(): void {}
      unobserve(): void {}
      disconnect(): void {}
    },
  );

  // jsdom knows the dialog element but cannot show it.
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false;
  };

  // It lays nothing out either, so there is nowhere to scroll.
  Element.prototype.scrollIntoView ??= () => {};
  window.scrollTo = () => {};

  afterEach(() => {
    cleanup();
    localStorage.clear();
    window.history.replaceState(null, "", "/");
  });
}
