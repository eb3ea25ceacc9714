import { useCallback } from "react";
import { useLocation, useSearch } from "wouter";

/** One piece of state that lives in the address: it survives a reload and can be sent to somebody. */
export function useQueryState(name: string): [string | null, (value: string | null) => void] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const set = useCallback(
    (value: string | null) => {
      // The address as it is now: two settings in one event must not lose the first.
      const query = new URLSearchParams(window.location.search);
      if (value) query.set(name, value);
      else query.delete(name);
      const text = query.toString();
      navigate(window.location.pathname + (text && `?${text}`), { replace: true });
    },
    [name, navigate],
  );
  return [new URLSearchParams(search).get(name), set];
}
