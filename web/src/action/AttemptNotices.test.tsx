import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { later } from "../lib/laterText.ts";
import { show } from "../testing/page.tsx";
import { PayControls } from "./AttemptNotices.tsx";
import type { Tracked } from "./attempts.ts";

const pending: Tracked = {
  id: "a",
  order: "o-pending",
  address: "bcrt1qpay",
  sats: "4589",
  at: 0,
  state: "asked",
  txid: "",
  alike: 0,
  pending: true,
  search: null,
  error: null,
  unsaved: false,
};

// A double click on the pay button must hit the busy button and not the one that gives up.
it.each([
  ["a footer, whose bottom is fixed", false, [later.payment.giveUp, later.order.paying]],
  ["the content, whose top is fixed", true, [later.order.paying, later.payment.giveUp]],
])("replaces the pay button by the busy one in %s", (_, inPlace, names) => {
  const ignore = (): void => undefined;
  show(<PayControls {...{ inPlace }} tracked={[pending]} ready onPay={ignore} onGiveUp={ignore} onSearch={ignore} />);
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(names);
});
