import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";

/** Explains the words for the custody of units that a list shows. */
export function CustodyNote({ chips }: { chips: readonly string[] }) {
  const notes = [
    [text.unit.self, later.stake.selfCustody],
    [text.unit.operator, later.stake.operatorCustody],
  ] as const;
  return notes
    .filter(([word]) => chips.includes(word))
    .map(([word, meaning]) => (
      <p key={word} className="text-sm text-mist">
        <b className="font-semibold text-fur">{word}:</b> {meaning}
      </p>
    ));
}
