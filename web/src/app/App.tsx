import { QueryClient, QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { Route, Switch } from "wouter";
import { ApiError } from "../api/client.ts";
import { keys } from "../api/keys.ts";
import { follow, liveState } from "../api/live.ts";
import { site } from "../lib/site.ts";
import { DashboardPage } from "../pages/DashboardPage.tsx";
import { ErrorPage } from "../pages/ErrorPage.tsx";
import { NotFoundPage } from "../pages/NotFoundPage.tsx";
import { TestPage } from "../pages/TestPage.tsx";
import { followOtherTabs, listen, useWallet } from "../session/session.ts";
import { Catch } from "../ui/Catch.tsx";

const ProofsPage = lazy(() => import("../pages/ProofsPage.tsx"));
/** Where the site offers it only. */
const EtchPage = lazy(() => import("../pages/EtchPage.tsx"));
/** Of a dev network only: elsewhere the server has no such page. */
const TransactionPage = lazy(() => import("../pages/TransactionPage.tsx"));
const TRANSACTION = "/dev/explorer/tx/:txid";

const RETRY_MS = 300;

export const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Once: with the usual three, "Site unreachable" would come after seven seconds.
      retry: (count, fault) => count < 1 && !(fault instanceof ApiError && fault.kind === "refused"),
      retryDelay: RETRY_MS,
      staleTime: 5_000,
      // A page that believes to be offline still asks: only the answer knows.
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});

export function App() {
  return (
    <Catch fallback={(id) => <ErrorPage id={id} />}>
      <QueryClientProvider client={client}>
        <Suspense fallback={null}>
          {site.variant === "generic" ? <Generic /> : <Community simple={site.variant === "dummy"} />}
        </Suspense>
      </QueryClientProvider>
    </Catch>
  );
}

function Community({ simple }: { simple: boolean }) {
  useLive();
  return (
    <Switch>
      <Route path="/" component={simple ? TestPage : DashboardPage} />
      <Route path="/proofs" component={ProofsPage} />
      {site.orders !== "" && <Route path="/etch" component={EtchPage} />}
      <Route path={TRANSACTION} component={TransactionPage} />
      <Route component={NotFoundPage} />
    </Switch>
  );
}

/** What the fund's host shows beside its landing page and its terms, which are documents without script. */
function Generic() {
  return (
    <Switch>
      {site.orders !== "" && <Route path="/etch" component={EtchPage} />}
      <Route path={TRANSACTION} component={TransactionPage} />
      <Route component={NotFoundPage} />
    </Switch>
  );
}

/** Keeps what is shown in step with the server, the wallet and the other tabs. */
function useLive(): void {
  const client = useQueryClient();
  const wallet = useWallet();
  useEffect(() => {
    // A wallet's changes never move the global figures; a global change may move everything.
    return follow(wallet, (scope) => {
      const queryKey = scope === "wallet" || scope === "order" ? keys.wallets : keys.live;
      void client.invalidateQueries({ queryKey });
    });
  }, [client, wallet]);
  useEffect(
    () =>
      // The figures in the page are as old as the page: what changed before the stream was open is asked for once it
      // is.
      liveState.subscribe(() => {
        if (liveState.get() === "live")
          void client.invalidateQueries({ queryKey: keys.globals }, { cancelRefetch: false });
      }),
    [client],
  );
  useEffect(() => {
    if (wallet) void listen();
  }, [wallet]);
  useEffect(() => followOtherTabs(), []);
}
