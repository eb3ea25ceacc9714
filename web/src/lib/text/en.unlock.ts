/** When runes unlock, in the same words everywhere. Without a date: of any epoch. */
export const unlock = (epoch?: number, date?: string): string =>
  date ? `unlock when epoch ${epoch} ends, on ${date}` : "unlock when the next epoch ends";
