// @vitest-environment node
import { expect, it } from "vitest";
import { landing as germanLanding } from "./de.landing.ts";
import { later as germanLater } from "./de.later.ts";
import { text as german } from "./de.ts";
import { unlock as germanUnlock } from "./de.unlock.ts";
import { landing } from "./en.landing.ts";
import { later } from "./en.later.ts";
import { text } from "./en.ts";
import { unlock } from "./en.unlock.ts";

it.each([
  ["en", text, later, landing, unlock],
  ["de", german, germanLater, germanLanding, germanUnlock],
] as const)("%s says in the same words when runes unlock, with a known date", (_, page, more, fund, say) => {
  const dated = [
    more.unstake.unlocks(8, "Dec 9"),
    more.unstake.wait(6, "Nov 25", 8, "Dec 9"),
    more.start.likely(7, "Nov 25", 8, "Dec 9"),
  ];
  for (const sentence of dated) expect(sentence).toContain(say(8, "Dec 9"));
  const steps = fund.steps.list.flat();
  const answers = fund.faq.list.find(([hash]) => hash === "how-long-unstaking")!.flat();
  const leave = [page.visit.leave.text("LOBO", ""), page.visit.leave.text("LOBO", "Dec 9")];
  const undated = [...leave, page.stake.countsSoon, more.unstake.unlocks(), steps, answers];
  for (const sentence of undated) expect(String(sentence)).toContain(say());
});
