import { useEffect, useRef, useState } from "react";

/**
 * Announces a sentence politely to screen readers when it changes. The first sentence is not announced, because it is
 * read in place. null means not known yet and is not a change.
 */
export function Announce({ sentence }: { sentence: string | null }) {
  const [message, setMessage] = useState("");
  const before = useRef<string | null>(null);
  useEffect(() => {
    if (sentence === null || sentence === before.current) return;
    if (before.current !== null) setMessage(sentence);
    before.current = sentence;
  }, [sentence]);
  return (
    <p role="status" className="sr-only">
      {message}
    </p>
  );
}
