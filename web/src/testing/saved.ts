import { vi } from "vitest";

/** Collects the text of each file that the page downloads, in order. */
export function catchFiles(): { texts: Promise<string>[] } {
  const texts: Promise<string>[] = [];
  vi.stubGlobal("URL", Object.assign(class extends URL {}, {
    createObjectURL: (file: Blob) => {
      texts.push(file.text());
      return "blob:test";
    },
    revokeObjectURL: () => {},
  }));
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  return { texts };
}
