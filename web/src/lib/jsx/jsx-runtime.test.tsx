import { render } from "@testing-library/react";
import { expect, it } from "vitest";

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
