import type { unlock as english } from "./en.unlock.ts";

/** When runes unlock, in German. */
export const unlock: typeof english = (epoch, date) =>
  date
    ? `mit dem Ende der Epoche ${epoch} am ${date} freigegeben`
    : "eine Epoche nach dem Ende der laufenden freigegeben";
