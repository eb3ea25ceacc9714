import { useQuery } from "@tanstack/react-query";
import { defaultProvider, listProviders, supports, type Method } from "../wallet/index.ts";
import { useSession } from "./session.ts";

/**
 * Reports whether the connected wallet supports a method: false only if the wallet says so; null if unknown, as with
 * wallets that list no methods. Then the request itself shows whether the method exists.
 */
export function useCan(method: Method): boolean | null {
  const session = useSession();
  const provider = defaultProvider();
  const { data } = useQuery({
    queryKey: ["can", provider, method],
    queryFn: () => supports(provider!, method).catch(() => null),
    enabled: session !== null && provider !== null,
    staleTime: Infinity,
  });
  return data ?? null;
}

/** The connected wallet's display name. */
export function walletName(): string {
  const id = defaultProvider();
  return listProviders().find((choice) => choice.id === id)?.name ?? "Xverse";
}
