import { useCallback } from "react";
import { useLocation, useSearch } from "wouter";
import { Navigations } from "./navigations.ts";

const navigations = new Navigations();

/** State stored in the URL's query: it survives a reload and can be shared as a link. */
export function useQueryState(name: string): [string | null, (value: string | null) => void] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const set = useCallback(
    (value: string | null) => navigations.run(() => navigate(addressWith(name, value), { replace: true })),
    [name, navigate],
  );
  return [new URLSearchParams(search).get(name), set];
}

/**
 * Query state for a dialog. Opening it adds a history entry, so that Back closes the dialog; another value replaces the
 * value of the open dialog. Closing it takes effect at once, then goes back to the previous entry. A dialog that was
 * opened by its URL has no previous entry of this page: closing it only changes the URL.
 */
export function useQueryDialog(name: string): [string | null, (value: string | null) => void] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const set = useCallback(
    (next: string | null) =>
      navigations.run(() => {
        const isOpen = Boolean(queryNow().get(name));
        if (next !== null) {
          const state: unknown = isOpen ? window.history.state : { opened: name };
          return navigate(addressWith(name, next), { replace: isOpen, state });
        }
        if (!isOpen) return; // closed twice, or by Back
        const { opened } = (window.history.state ?? {}) as { opened?: unknown };
        navigate(addressWith(name, null), { replace: true });
        if (opened === name) navigations.back();
      }),
    [name, navigate],
  );
  return [new URLSearchParams(search).get(name), set];
}

/** The URL's query at this moment: a component renders later than the URL changes. */
function queryNow(): URLSearchParams {
  return new URLSearchParams(window.location.search);
}

/** Returns the current URL with one parameter changed. */
function addressWith(name: string, value: string | null): string {
  const query = queryNow();
  if (value) query.set(name, value);
  else query.delete(name);
  const text = query.toString();
  return window.location.pathname + (text && `?${text}`);
}
