import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

/** Each test stubs the responses it needs; any other request fails. */
vi.stubGlobal("fetch", (input: RequestInfo | URL) =>
  Promise.reject(new Error(`unexpected request: ${input instanceof Request ? input.url : input.toString()}`)),
);

afterEach(() => void vi.useRealTimers());

// Tests of pure code run without a document.
if (typeof document !== "undefined") {
  // Errors show the page's text instead of its markup, which is shorter. Lazily loaded parts take seconds on a busy
  // machine, which transforms them at that time.
  configure({
    asyncUtilTimeout: 25_000,
    getElementError: (message) => new Error(`${message ?? ""}\n\n${document.body.textContent}`),
  });

  // The site data that a server writes into the page. The tests' addresses are of this network.
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

  // jsdom has the dialog element but can't show it.
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false;
  };

  // jsdom has no layout, so there is nothing to scroll.
  Element.prototype.scrollIntoView ??= () => {};
  window.scrollTo = () => {};

  // React updates such a text in place, which stays invisible after a page translator has replaced it.
  const ownedTexts = (): string[] => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.nodeValue?.trim() && Object.keys(node).some((key) => key.startsWith("__react")))
        texts.push(`${node.nodeValue} in ${node.parentElement?.outerHTML.slice(0, 200)}`);
    }
    return texts;
  };

  afterEach(() => {
    const texts = ownedTexts();
    cleanup();
    localStorage.clear();
    window.history.replaceState(null, "", "/");
    if (texts.length > 0) throw new Error(`These texts need elements of their own:\n${texts.join("\n")}`);
  });
}
