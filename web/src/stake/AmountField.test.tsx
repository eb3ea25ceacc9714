import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { readAmount } from "../lib/typedAmount.ts";
import { AmountField } from "./AmountField.tsx";

function Field({ balance = 1_234_567_800_000n as bigint | null }) {
  const [value, setValue] = useState("");
  const reading = readAmount(value);
  return <AmountField {...{ value, reading, balance }} spendable={balance} onChange={setValue} describedBy="x" />;
}

const input = () => screen.getByRole<HTMLInputElement>("spinbutton", { name: "Amount to stake" });
const shown = () => screen.getByTestId("amount-read").textContent;

describe("amount field", () => {
  it("sets half and all of the balance", async () => {
    render(<Field />);
    await userEvent.click(screen.getByRole("button", { name: "Half" }));
    expect(input().value).toBe("6172.839");
    await userEvent.click(screen.getByRole("button", { name: "Max" }));
    expect(input().value).toBe("12345.678");
  });

  it("applies the rules to typed text", async () => {
    render(<Field />);
    await userEvent.type(input(), "1.123456789");
    expect(input().value).toBe("1.12345678");
    await userEvent.type(input(), "x");
    expect(input().value).toBe("1.12345678");
    await userEvent.clear(input());
    expect(input().value).toBe("");
    expect(shown()).toBe("");
    await userEvent.type(input(), "99999");
    expect(input().value).toBe("12345.678");
  });

  it("shows the parsed amount", async () => {
    render(<Field />);
    await userEvent.click(input());
    await userEvent.paste("1.234,5");
    expect(input().value).toBe("1.234,5");
    expect(shown()).toMatch(/^1,234\.5 /);
    expect(input().getAttribute("aria-valuenow")).toBe("1234.5");
    expect(input().getAttribute("aria-valuetext")).toBe(shown());
    expect(input().getAttribute("aria-invalid")).toBe("false");
  });

  it.each(["10.000", "1e3", "12 LOBO"])("keeps the ambiguous text %j and shows no amount", async (pasted) => {
    render(<Field />);
    await userEvent.click(input());
    await userEvent.paste(pasted);
    expect(input().value).toBe(pasted);
    expect(input().getAttribute("aria-invalid")).toBe("true");
    expect(input().getAttribute("aria-valuenow")).toBeNull();
    expect(shown()).toBe("");
    await userEvent.click(screen.getByRole("button", { name: "Half" }));
    expect(input().getAttribute("aria-invalid")).toBe("false");
  });

  it("steps with the keys of a spin button, within the balance", async () => {
    render(<Field />);
    await userEvent.type(input(), "12{ArrowUp}");
    expect(input().value).toBe("1012");
    for (const [key, value] of [
      ["ArrowDown", "12"], ["ArrowDown", "0"], ["PageUp", "10000"], ["PageUp", "12345.678"], ["PageDown", "2345.678"],
      ["Home", "0"], ["End", "12345.678"],
    ] as const) {
      await userEvent.keyboard(`{${key}}`);
      expect(input().value, key).toBe(value);
    }
    expect(input().getAttribute("aria-valuemin")).toBe("0");
    expect(input().getAttribute("aria-valuemax")).toBe("12345.678");
  });

  it("leaves keys with a modifier to the browser, and the wheel does nothing", async () => {
    render(<Field />);
    await userEvent.type(input(), "12{Shift>}{Home}{/Shift}{Control>}{ArrowUp}{/Control}");
    fireEvent.wheel(input(), { deltaY: -100 });
    expect(input().value).toBe("12");
    expect(document.activeElement).toBe(input());
  });

  it("disables Half and Max without a balance", async () => {
    render(<Field balance={null} />);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Half" }).disabled).toBe(true);
    expect(screen.getByTestId("balance").textContent).toBe("—");
    expect(input().getAttribute("aria-valuemax")).toBeNull();
    await userEvent.type(input(), "12{End}");
    expect(input().value).toBe("12");
  });
});
