import { useEffect, useRef, useState } from "react";

/**
 * Says a sentence to those who hear the page when it changes, politely and only then: what is there when the
 * page opens is read where it stands. null: not known yet, which is no change.
 */
export function Announce({ sentence }: { sentence: string | null }) {
  const [said, setSaid] = useState("");
  const before = useRef<string | null>(null);
  useEffect(() => {
    if (sentence === null || sentence === before.current) return;
    if (before.current !== null) setSaid(sentence);
    before.current = sentence;
  }, [sentence]);
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}
