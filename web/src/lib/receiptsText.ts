import { language, type Language } from "./language.ts";
import type { receipts as ReceiptsText } from "./text/en.receipts.ts";

const files: Record<Language, () => Promise<{ receipts: typeof ReceiptsText }>> = {
  en: () => import("./text/en.receipts.ts"),
  de: () => import("./text/de.receipts.ts"),
};

/** Texts about signed receipts. Import them only from modules that are loaded later. */
export const receiptsText: typeof ReceiptsText = (await files[language]()).receipts;
