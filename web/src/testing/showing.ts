import type { Matcher } from "@testing-library/react";

/**
 * Matches the innermost element that shows a text. Its ids and amounts are elements of their own (lib/jsx), but
 * Testing Library compares only the text nodes directly in an element.
 */
export function showing(expected: string | RegExp): Matcher {
  const shows = (element: Element) =>
    typeof expected === "string" ? element.textContent === expected : expected.test(element.textContent);
  return (_, element) => element !== null && shows(element) && ![...element.children].some(shows);
}
