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

/** Buttons for the recovery of stakes: the kit and the dialog. */
export function KitButtons({ session }: { session: Session }) {
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
        <Button kind="quiet" className="px-0!" onClick={() => void download()}>
          {text.stake.kit}
        </Button>
        <Button kind="quiet" className="px-0!" onClick={() => setRecovering(true)}>
          {later.recover.open}
        </Button>
        {error && (
          <span role="alert" className="text-ember">
            {text.stake.kitFailed}
          </span>
        )}
      </p>
      <Suspense fallback={null}>
        {recovering && <RecoverDialog session={session} onClose={() => setRecovering(false)} />}
      </Suspense>
    </>
  );
}
