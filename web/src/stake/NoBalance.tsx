import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FAUCET_PATH, requestTestFunds } from "../api/devnet.ts";
import { useCommunity } from "../api/globals.ts";
import { keys } from "../api/keys.ts";
import { later } from "../lib/laterText.ts";
import { site } from "../lib/site.ts";
import { Button } from "../ui/Button.tsx";
import { OutLink } from "../ui/Link.tsx";
import { Notice } from "../ui/Notice.tsx";
import type { Session } from "../wallet/index.ts";

/** Shown instead of the form for a wallet without the token: says where to get it. */
export function NoBalance({ session }: { session: Session }) {
  const source = useCommunity().data?.texts.get_token ?? "";
  const words = later.session;
  return (
    <Notice>
      <div className="grid justify-items-start gap-3">
        <p className="text-moon">{words.none(site.token)}</p>
        {source === FAUCET_PATH && <Faucet session={session} />}
        {source !== "" && source !== FAUCET_PATH && <OutLink href={source}>{words.get(site.token)}</OutLink>}
        <p className="text-sm">{words.late}</p>
      </div>
    </Notice>
  );
}

/** The faucet of a dev network. */
function Faucet({ session }: { session: Session }) {
  const client = useQueryClient();
  const words = later.session;
  const request = useMutation({
    mutationFn: () => requestTestFunds(session.payment.address, session.ordinals.address),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.wallets }),
  });
  if (request.isSuccess) return <p className="text-aurora">{words.faucetSent(site.token)}</p>;
  return (
    <>
      <Button busy={request.isPending} onClick={() => request.mutate()}>
        {words.faucet(site.token)}
      </Button>
      {request.isError && <p className="text-ember">{words.faucetFailed}</p>}
    </>
  );
}
