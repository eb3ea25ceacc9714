import { useCallback, useEffect, useRef } from "react";
import { useLocation, useSearch } from "wouter";

/** State stored in the URL's query: it survives a reload and can be shared as a link. */
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
 * Query state for a dialog. Setting a value adds a history entry, so that Back closes the dialog; setting null goes
 * back to the previous entry.
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
      // A second click before the browser has gone back must not go back twice.
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

/**
 * Returns the current URL with one parameter changed. It reads the URL each time, so that two changes in one event both
 * apply.
 */
function addressWith(name: string, value: string | null): string {
  const query = new URLSearchParams(window.location.search);
  if (value) query.set(name, value);
  else query.delete(name);
  const text = query.toString();
  return window.location.pathname + (text && `?${text}`);
}
