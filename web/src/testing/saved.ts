import { vi } from "vitest";

/** Catches the files that the page hands to the person: the text of each, in order. */
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
