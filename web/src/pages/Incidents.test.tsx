import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Wire } from "../api/client.ts";
import { proofs } from "../lib/proofsText.ts";
import { serve, show } from "../testing/page.tsx";
import { status } from "../testing/wire.ts";
import { Incidents } from "./Incidents.tsx";

const time = "2026-11-20T10:00:00Z";

function open(incidents: Wire["Incident"][]): void {
  serve({ status: () => status({ incidents }) });
  show(<Incidents />);
}

it("says that there are none", async () => {
  open([]);
  expect(await screen.findByText(proofs.incidents.none)).toBeTruthy();
});

it("describes each kind, also an unknown one, in the server's order", async () => {
  const { kinds } = proofs.incidents;
  const rows: [kind: string, detail: string, shown: string][] = [
    ["resume", "all", kinds.resumeAll],
    ["resume", "payouts", kinds.resumePayouts],
    ["restore", "from the backup of 2026-11-19T00:00:00Z", kinds.restore],
    ["refused", "ab".repeat(32), kinds.refused],
    ["reorg", "more than 100 blocks", kinds.reorg],
    ["violation", "the audit found 2", kinds.violation],
    ["pause", "all", kinds.pauseAll],
    ["pause", "payouts", kinds.pausePayouts],
    ["later", "x", kinds.other],
  ];
  open(rows.map(([kind, detail]) => ({ time, kind, detail })));
  const items = await screen.findAllByRole("listitem");
  expect(items.map((item) => item.querySelector("p")!.textContent)).toEqual(rows.map(([, , shown]) => shown));
  expect(items[3]!.textContent).toContain("ab".repeat(32));
  expect(screen.queryByText(proofs.incidents.older)).toBeNull();
});

it("describes a violation that the operator explained", async () => {
  open([{ time, kind: "accepted", detail: "violation 1a2b3c4d5e6f" }]);
  expect(await screen.findByText(proofs.incidents.kinds.accepted)).toBeTruthy();
});

it("says where older ones are once the list is full", async () => {
  open(Array.from({ length: 10 }, () => ({ time, kind: "pause", detail: "all" })));
  expect(await screen.findByText(proofs.incidents.older)).toBeTruthy();
});
