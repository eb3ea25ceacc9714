import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { preloadWallets } from "./Dialogs.tsx";

/** All that a tab shows while no wallet is connected. */
export function ConnectPrompt({ onConnect }: { onConnect: () => void }) {
  return (
    <Button
      kind="primary"
      className="w-full py-2 text-lg"
      onClick={onConnect}
      onPointerEnter={preloadWallets}
      onFocus={preloadWallets}
    >
      {text.tabs.connect}
    </Button>
  );
}
