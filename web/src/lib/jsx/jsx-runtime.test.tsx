import { render } from "@testing-library/react";
import type { ReactElement } from "react";
import { expect, it, vi } from "vitest";
import { etching as german } from "../text/de.etching.ts";
import { etching as english } from "../text/en.etching.ts";

vi.mock("../site.ts", () => ({ site: { token: "LOBO•" } }));

/** Replaces every text node as a page translator does. */
function translate(root: Node): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Node[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    if (!text.nodeValue!.trim()) continue;
    const font = document.createElement("font");
    font.textContent = text.nodeValue;
    text.parentNode!.replaceChild(font, text);
  }
}

const Pair = ({ n, on }: { n: number; on: boolean }) => (
  <>
    {on && "on "}
    <b>{n}</b> of {n + 1}
  </>
);

const Sample = ({ n, on }: { n: number; on: boolean }) => (
  <div>
    <p>
      Stake: {n} {on && "now"}
    </p>
    <p>
      {on ? "yes" : "no"} <i>then</i> {on && "left"}
    </p>
    <p>{on ? "text" : <u>element</u>}</p>
    <p>
      <Pair n={n} on={on} />
    </p>
    {on && "loose"}
  </div>
);

it("updates and removes texts that a page translator has replaced", () => {
  const fresh = (n: number, on: boolean) => {
    const { container, unmount } = render(<Sample n={n} on={on} />);
    const text = container.textContent;
    unmount();
    return text;
  };
  const shown = [fresh(1, true), fresh(2, false), fresh(3, true)];
  expect(shown[0]).toBe("Stake: 1 nowyes then lefttexton 1 of 2loose");
  const { container, rerender } = render(<Sample n={1} on />);
  translate(container);
  rerender(<Sample n={2} on={false} />);
  expect(container.textContent).toBe(shown[1]);
  translate(container);
  rerender(<Sample n={3} on />);
  expect(container.textContent).toBe(shown[2]);
});

it("joins texts, and keeps the state of an element while the texts beside it come and go", () => {
  const Field = ({ on }: { on: boolean }) => (
    <label>
      {on && "before "}
      <input /> after
    </label>
  );
  const { container, rerender } = render(<Field on />);
  const input = container.querySelector("input");
  rerender(<Field on={false} />);
  expect(container.querySelector("input")).toBe(input);
  expect(render(<p>a {1} b</p>).container.innerHTML).toBe("<p>a 1 b</p>");
});

const TXID = "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";
const ADDRESS = "bcrt1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr";

it.each([
  [english.sentByWallet(TXID), TXID],
  [german.sentByWallet(TXID), TXID],
  [`The output ${TXID}:1 is spent.`, `${TXID}:1`],
  [`Deine Wallet nutzt ein anderes Konto. Wechsle zurück zu ${ADDRESS}.`, ADDRESS],
  ["Order 6fb1ad31-1c6f-4d2a-9a0e-54d6f0a3a7c1 is open.", "6fb1ad31-1c6f-4d2a-9a0e-54d6f0a3a7c1"],
  ["To bcrt1p…c8gma6, at once", "bcrt1p…c8gma6"],
  ["Pay 2,606 sats now.", "2,606 sats"],
  ["Zahle 2.606 Sats.", "2.606 Sats"],
  ["The network's rate is 12.5 sat/vB.", "12.5 sat/vB"],
  ["QR code to pay 0.00010000 BTC", "0.00010000 BTC"],
  ["You sent 1,000.5 LOBO• to", "1,000.5 LOBO•"],
  ["1,05 Mio. LOBO• werden frei", "1,05 Mio. LOBO•"],
  ["Unstake 1.05M LOBO•?", "1.05M LOBO•"],
  ["1.000,5", "1.000,5"],
])("a page translator leaves the id or amount in “%s” as it is", (sentence, id) => {
  const kept = (element: ReactElement) => {
    const { container, unmount } = render(element);
    translate(container);
    const { textContent } = container;
    const found = [...container.querySelectorAll("[translate=no]")].map((one) => one.textContent);
    unmount();
    return [textContent, found];
  };
  expect(kept(<p>{sentence}</p>)).toEqual([sentence, [id]]);
  expect(kept(<p>{sentence} <b>now</b></p>)).toEqual([`${sentence} now`, [id]]);
});

it("leaves words, other numbers, and what holds text only", () => {
  const texts = ["Donaudampfschifffahrtsgesellschaft", "840000:35", "It needs 3 confirmations, about 2 btcd", "sats"];
  for (const text of texts) expect(render(<p>{text}</p>).container.innerHTML).toBe(`<p>${text}</p>`);
  const { container } = render(<option>{TXID}</option>);
  expect(container.innerHTML).toBe(`<option>${TXID}</option>`);
});
