import { useQuery } from "@tanstack/react-query";
import { defaultProvider, listProviders, supports, type Method } from "../wallet/index.ts";
import { useSession } from "./session.ts";

/**
 * Whether the connected wallet has a method: false only where it says that it has not; null while nobody knows, as with
 * wallets that list no methods. Then the wallet is asked, and says so itself.
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

/** The connected wallet's own name, for sentences about it. */
export function walletName(): string {
  const id = defaultProvider();
  return listProviders().find((choice) => choice.id === id)?.name ?? "Xverse";
}
