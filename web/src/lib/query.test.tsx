import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useQueryDialog, useQueryState } from "./query.ts";

const goBack = window.history.back.bind(window.history);

/** The steps back that a page has requested and the browser has not taken. */
let requested = 0;

beforeEach(() => {
  requested = 0;
  window.history.pushState(null, "", "/before");
  window.history.pushState(null, "", "/?tab=rewards");
  vi.spyOn(window.history, "back").mockImplementation(() => void requested++);
});

afterEach(async () => {
  await arrive();
  vi.restoreAllMocks();
});

function open() {
  const { result, unmount } = renderHook(() => ({ dialog: useQueryDialog("order"), tab: useQueryState("tab") }));
  return {
    order: () => result.current.dialog[0],
    setOrder: (order: string | null) => act(() => result.current.dialog[1](order)),
    setTab: (tab: string) => act(() => result.current.tab[1](tab)),
    unmount,
  };
}

/** The browser takes one step in the history, as a slow machine does: after the call that requested it. */
function step(go: () => void): Promise<void> {
  return act(async () => {
    const arrived = new Promise((done) => window.addEventListener("popstate", done, { once: true }));
    go();
    await arrived;
  });
}

/** The steps back that the page has requested arrive. */
async function arrive(): Promise<void> {
  for (; requested > 0; requested--) await step(goBack);
}

const address = (): string => window.location.pathname + window.location.search;

describe("a dialog in the URL", () => {
  it("is closed by Back and opened again by Forward", async () => {
    const page = open();
    page.setOrder("a");
    expect(address()).toBe("/?tab=rewards&order=a");
    await step(goBack);
    expect([page.order(), address()]).toEqual([null, "/?tab=rewards"]);
    await step(() => window.history.forward());
    expect(page.order()).toBe("a");
    page.setOrder(null);
    await arrive();
    expect([page.order(), address()]).toEqual([null, "/?tab=rewards"]);
  });

  it("leaves no history entry when it is closed", async () => {
    const page = open();
    page.setOrder("a");
    page.setOrder(null);
    await arrive();
    expect(address()).toBe("/?tab=rewards");
    await step(goBack);
    expect(address()).toBe("/before");
  });

  it("is closed in the URL before the step back arrives, so that a reload does not open it again", () => {
    const page = open();
    page.setOrder("a");
    page.setOrder(null);
    expect([page.order(), address(), requested]).toEqual([null, "/?tab=rewards", 1]);
  });

  it("goes back once if it is closed twice", async () => {
    const page = open();
    page.setOrder("a");
    page.setOrder(null);
    page.setOrder(null);
    expect(requested).toBe(1);
    await arrive();
    expect([address(), requested]).toEqual(["/?tab=rewards", 0]);
  });

  it("does not go back again if Back has closed it", async () => {
    const page = open();
    page.setOrder("a");
    await step(goBack);
    page.setOrder(null);
    expect([address(), requested]).toEqual(["/?tab=rewards", 0]);
  });

  it("makes way for another one that opens before the step back arrives", async () => {
    const page = open();
    page.setOrder("a");
    page.setOrder(null);
    page.setOrder("b");
    await arrive();
    expect([page.order(), address()]).toEqual(["b", "/?tab=rewards&order=b"]);
    await step(goBack);
    expect([page.order(), address()]).toEqual([null, "/?tab=rewards"]);
  });

  it("closes the next one too, if that is closed before the step back arrives", async () => {
    const page = open();
    page.setOrder("a");
    page.setOrder(null);
    page.setOrder("b");
    page.setOrder(null);
    await arrive();
    expect([page.order(), address(), requested]).toEqual([null, "/?tab=rewards", 0]);
    await step(goBack);
    expect(address()).toBe("/before");
  });

  it("adds one entry for two clicks, and closes after them", async () => {
    const page = open();
    page.setOrder("a");
    page.setOrder("a");
    page.setOrder(null);
    await arrive();
    expect([page.order(), address()]).toEqual([null, "/?tab=rewards"]);
    await step(goBack);
    expect(address()).toBe("/before");
  });

  it("shows another order in the same entry", async () => {
    const page = open();
    page.setOrder("a");
    page.setOrder("b");
    expect(page.order()).toBe("b");
    await step(goBack);
    expect([page.order(), address()]).toEqual([null, "/?tab=rewards"]);
  });

  it("does not leave the site when it was opened by its URL", () => {
    window.history.replaceState(null, "", "/?tab=rewards&order=a");
    const page = open();
    expect(page.order()).toBe("a");
    page.setOrder(null);
    expect([page.order(), address(), requested]).toEqual([null, "/?tab=rewards", 0]);
  });

  it("stays open across a reload, and goes back when it is closed", async () => {
    open().setOrder("a");
    const reloaded = open();
    expect(reloaded.order()).toBe("a");
    reloaded.setOrder(null);
    await arrive();
    expect([reloaded.order(), address()]).toEqual([null, "/?tab=rewards"]);
    await step(goBack);
    expect(address()).toBe("/before");
  });

  it("does not undo a tab that is chosen before the step back arrives", async () => {
    const page = open();
    page.setOrder("a");
    page.setOrder(null);
    page.setTab("withdraw");
    await arrive();
    expect(address()).toBe("/?tab=withdraw");
  });

  it("can be opened again after a step back that the browser dropped", () => {
    vi.useFakeTimers();
    const page = open();
    page.setOrder("a");
    page.setOrder(null);
    page.setOrder("b");
    expect(page.order()).toBeNull();
    requested = 0;
    act(() => vi.advanceTimersByTime(3_000));
    expect([page.order(), address()]).toEqual(["b", "/?tab=rewards&order=b"]);
  });
});
