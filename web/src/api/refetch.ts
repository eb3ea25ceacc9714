import type { QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Refetches the data under a key after a change. The library does not repeat the first fetch of a query that is under
 * way, whose response may be older than the change: it is repeated when it has ended.
 */
export function refetch(client: QueryClient, queryKey: QueryKey): void {
  for (const query of client.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" })) {
    if (query.state.data !== undefined) continue;
    const again = (): void =>
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
    query.promise?.then(again, again);
  }
  void client.invalidateQueries({ queryKey });
}
