import { lazy, Suspense, useState } from "react";
import { fetchRecoveryKit } from "../api/wallet.ts";
import { saveFile } from "../lib/file.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { fieldsOf } from "../session/session.ts";
import { Button } from "../ui/Button.tsx";
import type { Session } from "../wallet/index.ts";
import { kitFile } from "./kit.ts";

const RecoverDialog = lazy(() => import("./RecoverDialog.tsx"));

/** Buttons for recovery: the kit and the dialog if there are stakes, and the rehearsal always. */
export function KitButtons({ session, staked }: { session: Session; staked: boolean }) {
  const [error, setError] = useState(false);
  const [recovering, setRecovering] = useState(false);
  async function download(): Promise<void> {
    try {
      const kit = await fetchRecoveryKit(fieldsOf(session));
      setError(false);
      saveFile(kitFile, "application/json", JSON.stringify(kit, null, 2));
    } catch {
      setError(true);
    }
  }
  return (
    <>
      <p className="mt-1 flex flex-wrap gap-x-6">
        {staked && (
          <Button kind="quiet" className="px-0!" onClick={() => void download()}>
            {text.stake.kit}
          </Button>
        )}
        <Button kind="quiet" className="px-0!" onClick={() => setRecovering(true)}>
          {staked ? later.recover.open : later.rehearsal.open}
        </Button>
        {error && (
          <span role="alert" className="text-ember">
            {text.stake.kitFailed}
          </span>
        )}
      </p>
      <Suspense fallback={null}>
        {recovering && <RecoverDialog session={session} staked={staked} onClose={() => setRecovering(false)} />}
      </Suspense>
    </>
  );
}
