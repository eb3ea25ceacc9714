import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { Tabs } from "./Tabs.tsx";

const tabs = ["one", "two", "three"].map((id) => ({ id, label: id }));

function Sample() {
  const [active, setActive] = useState("one");
  return (
    <Tabs label="Sample" tabs={tabs} active={active} onChange={setActive}>
      content of {active}
    </Tabs>
  );
}

it("moves by arrows, Home and End, and names its panel", async () => {
  render(<Sample />);
  const selected = () => screen.getByRole("tab", { selected: true });
  await userEvent.tab();
  expect(document.activeElement).toBe(selected());
  await userEvent.keyboard("{ArrowRight}");
  expect(selected().textContent).toBe("two");
  expect(document.activeElement).toBe(selected());
  await userEvent.keyboard("{End}");
  expect(selected().textContent).toBe("three");
  await userEvent.keyboard("{ArrowRight}");
  expect(selected().textContent).toBe("one");
  await userEvent.keyboard("{ArrowLeft}{Home}");
  expect(selected().textContent).toBe("one");
  expect(screen.getByRole("tabpanel", { name: "one" }).textContent).toBe("content of one");
  expect(screen.getAllByRole("tab").filter((tab) => tab.tabIndex === 0)).toHaveLength(1);
});
