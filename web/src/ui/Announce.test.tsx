import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Announce } from "./Announce.tsx";

it("announces changes, and nothing when the page opens", () => {
  const { rerender } = render(<Announce sentence={null} />);
  const announced = () => screen.getByRole("status").textContent;
  rerender(<Announce sentence="Your stake: 1 LOBO." />);
  expect(announced()).toBe("");
  rerender(<Announce sentence={null} />);
  rerender(<Announce sentence="Your stake: 1 LOBO." />);
  expect(announced()).toBe("");
  rerender(<Announce sentence="Your stake: 2 LOBO." />);
  expect(announced()).toBe("Your stake: 2 LOBO.");
});
