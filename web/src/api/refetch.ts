import type { QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Refetches the data under a key after a change. The library does not repeat a query's first fetch while it is under
 * way, although its response may be older than the change. So the fetch is repeated after it ends.
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
