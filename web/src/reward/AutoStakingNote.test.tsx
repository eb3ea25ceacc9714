import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { later } from "../lib/laterText.ts";
import { golden } from "../testing/golden.ts";
import { serve, show } from "../testing/page.tsx";
import { community, wallet } from "../testing/wire.ts";
import AutoStakingNote from "./AutoStakingNote.tsx";

const words = later.compounding;

it("says until which epoch rewards are staked automatically, and links to the Rewards tab", async () => {
  serve({ community: () => community(), autoCompound: () => golden<object>("autoCompound") });
  show(<AutoStakingNote wallet={wallet} />);
  expect(await screen.findByText(new RegExp(words.note(51)))).toBeTruthy();
  await userEvent.click(screen.getByRole("link", { name: words.noteLink }));
  expect(window.location.search).toBe("?tab=rewards");
  expect(screen.queryByText(new RegExp(words.note(51)))).toBeNull();
});
