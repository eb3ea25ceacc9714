import { act } from "@testing-library/react";
import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { beforeEach, expect, it, vi } from "vitest";
import { useNow } from "./clock.ts";

const START = Date.parse("2026-11-18T00:00:00.900Z");

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(START);
});

it("renders once if a second ends meanwhile, and then shows that second", async () => {
  let drawn = 0;
  const Clock = () => <p>{new Date(useNow()).getUTCSeconds()}</p>;
  const Slow = () => {
    drawn++;
    vi.setSystemTime(START + 500);
    return null;
  };
  const place = document.createElement("div");
  const root = createRoot(place);
  await act(async () =>
    startTransition(() =>
      root.render(
        <>
          <Clock />
          <Slow />
          <Clock />
        </>,
      ),
    ),
  );
  expect(drawn).toBe(1);
  expect(place.textContent).toBe("11");
  await act(async () => root.unmount());
});
