/** When runes unlock, in the same words everywhere. Without a date: of any epoch. */
export const unlock = (epoch?: number, date?: string): string =>
  date ? `unlock when epoch ${epoch} ends, on ${date}` : "unlock one epoch after the current one ends";
