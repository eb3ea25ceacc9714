import { useWalletTrouble } from "../session/session.ts";
import { Notice } from "../ui/Notice.tsx";

/** The wallet was switched to something that does not fit this community: what it is, until it is switched back. */
export function WalletTrouble() {
  const trouble = useWalletTrouble();
  if (trouble === null) return null;
  return (
    <div className="mb-5">
      <Notice tone="bad">{trouble}</Notice>
    </div>
  );
}
