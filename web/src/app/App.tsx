import { QueryClient, QueryClientProvider, useQueryClient, type QueryKey } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, type ComponentType } from "react";
import { Route, Switch } from "wouter";
import { ApiError } from "../api/client.ts";
import { keys } from "../api/keys.ts";
import { follow } from "../api/live.ts";
import { refetch } from "../api/refetch.ts";
import { site } from "../lib/site.ts";
import { ErrorPage } from "../pages/ErrorPage.tsx";
import { NotFoundPage } from "../pages/NotFoundPage.tsx";
import { followOtherTabs, listen, useWallet } from "../session/session.ts";
import { Catch } from "../ui/Catch.tsx";

const ProofsPage = lazy(() => import("../pages/ProofsPage.tsx"));
/** Only where the site offers the orders service. */
const EtchPage = lazy(() => import("../pages/EtchPage.tsx"));
/** Only on a dev network: elsewhere the server has no such page. */
const TransactionPage = lazy(() => import("../pages/TransactionPage.tsx"));
const TRANSACTION = "/dev/explorer/tx/:txid";

const RETRY_MS = 300;

export const client = new QueryClient({
  defaultOptions: {
    queries: {
      // One retry: with the default of three, "Site unreachable" would appear after seven seconds.
      retry: (count, error) => count < 1 && !(error instanceof ApiError && error.kind === "refused"),
      retryDelay: RETRY_MS,
      staleTime: 5_000,
      // Send requests even if the browser reports offline: it can be wrong.
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});

/** `home` is a community's page at "/". */
export function App({ home }: { home: ComponentType }) {
  return (
    <Catch fallback={(id) => <ErrorPage id={id} />}>
      <QueryClientProvider client={client}>
        <Suspense fallback={null}>
          {site.variant === "generic" ? <Generic /> : <Community home={home} />}
        </Suspense>
      </QueryClientProvider>
    </Catch>
  );
}

function Community({ home }: { home: ComponentType }) {
  useLive();
  return (
    <Switch>
      <Route path="/" component={home} />
      <Route path="/proofs" component={ProofsPage} />
      {site.orders !== "" && <Route path="/etch" component={EtchPage} />}
      <Route path={TRANSACTION} component={TransactionPage} />
      <Route component={NotFoundPage} />
    </Switch>
  );
}

/** What the fund's host renders with script. Its landing page and its terms are documents without script. */
function Generic() {
  return (
    <Switch>
      {site.orders !== "" && <Route path="/etch" component={EtchPage} />}
      <Route path={TRANSACTION} component={TransactionPage} />
      <Route component={NotFoundPage} />
    </Switch>
  );
}

/** Refetches and updates state on events from the server, the wallet and other tabs. */
function useLive(): void {
  const client = useQueryClient();
  const wallet = useWallet();
  useEffect(() => {
    let changed: QueryKey | null = null;
    return follow(wallet, (scope) => {
      // A payment is an event of the wallet and one of the fund, which arrive together. Two refetches would be slower:
      // the second aborts the requests of the first, and needs new connections for its own.
      if (changed === null) {
        setTimeout(() => {
          refetch(client, changed!);
          changed = null;
        });
      }
      // A wallet event does not change the global figures; a global event may change everything.
      changed = scope === "wallet" ? (changed ?? keys.wallets) : keys.live;
    });
  }, [client, wallet]);
  useEffect(() => {
    if (wallet) void listen();
  }, [wallet]);
  useEffect(() => followOtherTabs(), []);
}
