import { saveFile } from "../lib/file.ts";
import { site } from "../lib/site.ts";

/** Downloads receipts as one file: a list of documents (docs/receipts.md). */
export function saveReceipts(texts: readonly string[], name = "receipts"): void {
  saveFile(`${site.prefix}-${name}.json`, "application/json", `[${texts.join(",")}]`);
}
