import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { AmountField } from "./AmountField.tsx";

function Field({ balance = 1_234_567_800_000n as bigint | null }) {
  const [value, setValue] = useState("");
  const [unclear, setUnclear] = useState(false);
  const change = (next: string, isUnclear: boolean): void => {
    setValue(next);
    setUnclear(isUnclear);
  };
  return <AmountField value={value} unclear={unclear} onChange={change} balance={balance} spendable={balance} describedBy="x" />;
}

const input = () => screen.getByRole<HTMLInputElement>("spinbutton", { name: "Amount to stake" });

describe("amount field", () => {
  it("sets half and all of the balance", async () => {
    render(<Field />);
    await userEvent.click(screen.getByRole("button", { name: "Half" }));
    expect(input().value).toBe("6172.839");
    await userEvent.click(screen.getByRole("button", { name: "Max" }));
    expect(input().value).toBe("12345.678");
  });

  it("takes what is typed by the rules", async () => {
    render(<Field />);
    await userEvent.type(input(), "1.123456789");
    expect(input().value).toBe("1.12345678");
    await userEvent.type(input(), "x");
    expect(input().value).toBe("1.12345678");
    await userEvent.clear(input());
    expect(input().value).toBe("");
    await userEvent.type(input(), "99999");
    expect(input().value).toBe("12345.678");
  });

  it("says of what it leaves out that it may have meant something", async () => {
    render(<Field />);
    await userEvent.click(input());
    await userEvent.paste("1,234.5");
    expect(input().value).toBe("");
    expect(input().getAttribute("aria-invalid")).toBe("true");
    await userEvent.click(screen.getByRole("button", { name: "Half" }));
    expect(input().getAttribute("aria-invalid")).toBe("false");
  });

  it("steps by 1000 within the balance", async () => {
    render(<Field />);
    await userEvent.type(input(), "12{ArrowUp}");
    expect(input().value).toBe("1012");
    await userEvent.type(input(), "{ArrowDown}{ArrowDown}");
    expect(input().value).toBe("0");
    expect(input()).toHaveProperty("step", "1000");
    expect(input()).toHaveProperty("min", "0");
    expect(input()).toHaveProperty("max", "12345.678");
  });

  it("offers no shares of a balance that is not known", () => {
    render(<Field balance={null} />);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Half" }).disabled).toBe(true);
    expect(screen.getByTestId("balance").textContent).toBe("—");
  });
});
