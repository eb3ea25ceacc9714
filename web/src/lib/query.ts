import { useCallback, useEffect, useRef } from "react";
import { useLocation, useSearch } from "wouter";

/** One piece of state that lives in the address: it survives a reload and can be sent to somebody. */
export function useQueryState(name: string): [string | null, (value: string | null) => void] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const set = useCallback(
    (value: string | null) => navigate(addressWith(name, value), { replace: true }),
    [name, navigate],
  );
  return [new URLSearchParams(search).get(name), set];
}

/**
 * The same for what opens over the page: setting a value adds an entry to the browser's history, so that Back closes
 * it, and setting null goes back to the entry before.
 */
export function useQueryDialog(name: string): [string | null, (value: string | null) => void] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const value = new URLSearchParams(search).get(name);
  const closing = useRef(false);
  useEffect(() => {
    closing.current = false;
  }, [value]);
  const set = useCallback(
    (next: string | null) => {
      if (next !== null) return navigate(addressWith(name, next), { state: { opened: name } });
      // A second press before the browser has gone back must not go back twice.
      if (closing.current) return;
      const state = window.history.state as { opened?: unknown } | null;
      if (state?.opened !== name) return navigate(addressWith(name, null), { replace: true });
      closing.current = true;
      window.history.back();
    },
    [name, navigate],
  );
  return [value, set];
}

/** The address as it is now with one setting changed: two settings in one event must not lose the first. */
function addressWith(name: string, value: string | null): string {
  const query = new URLSearchParams(window.location.search);
  if (value) query.set(name, value);
  else query.delete(name);
  const text = query.toString();
  return window.location.pathname + (text && `?${text}`);
}
