import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { Near } from "./Near.tsx";

afterEach(() => vi.unstubAllGlobals());

it("renders its part when its place is nearly seen", () => {
  let see: (entries: { isIntersecting: boolean }[]) => void = () => {};
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe = vi.fn();
      disconnect = vi.fn();
      constructor(callback: typeof see) {
        see = callback;
      }
    },
  );
  const { container } = render(<Near height="h-9"><p>part</p></Near>);
  const place = container.querySelector(".h-9")!;
  expect(place.childElementCount).toBe(0);
  act(() => see([{ isIntersecting: false }]));
  expect(place.textContent).toBe("");
  act(() => see([{ isIntersecting: true }]));
  expect(place.textContent).toBe("part");
});

it("renders its part for somebody who moves by Tab, before its place is passed", () => {
  const observer = class {
    observe = vi.fn();
    disconnect = vi.fn();
  };
  vi.stubGlobal("IntersectionObserver", observer);
  render(<Near height="h-9"><p>part</p></Near>);
  fireEvent.keyDown(document.body, { key: "Enter" });
  expect(screen.queryByText("part")).toBeNull();
  fireEvent.keyDown(document.body, { key: "Tab" });
  expect(screen.getByText("part")).toBeTruthy();
});

it("renders its part at once in a browser that can't tell", () => {
  render(<Near height="h-9"><p>part</p></Near>);
  expect(screen.getByText("part")).toBeTruthy();
});
