import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { later } from "../lib/laterText.ts";
import { golden } from "../testing/golden.ts";
import { serve, show } from "../testing/page.tsx";
import { community, wallet } from "../testing/wire.ts";
import { AutoCompound } from "./AutoCompound.tsx";

const words = later.compounding;

it.each([
  ["NONE", words.none, words.noneLeft],
  ["ACTIVE", words.noneLeft, words.none],
  ["ENDED", words.none, words.noneLeft],
])("says where new rewards will be if nothing can be claimed and it is %s", async (state, says, not) => {
  const answer = { ...golden<object>("autoCompound"), state };
  serve({ community: () => community(), autoCompound: () => answer });
  show(<AutoCompound wallet={wallet} nothingToClaim />);
  expect(await screen.findByText(says)).toBeTruthy();
  expect(screen.queryByText(not)).toBeNull();
});

it("says nothing of new rewards while some can be claimed", async () => {
  serve({ community: () => community(), autoCompound: () => golden<object>("autoCompound") });
  show(<AutoCompound wallet={wallet} nothingToClaim={false} />);
  expect(await screen.findByRole("heading", { name: words.title })).toBeTruthy();
  expect(screen.queryByText(words.none)).toBeNull();
  expect(screen.queryByText(words.noneLeft)).toBeNull();
});
