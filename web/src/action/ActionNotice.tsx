import { Notice } from "../ui/Notice.tsx";
import { stepText, type Action } from "./useAction.ts";

/** What an action is doing, or why it failed, or that it is done. */
export function ActionNotice({ action, done, onDismiss }: { action: Action; done: string | null; onDismiss(): void }) {
  if (action.step) return <Notice>{stepText(action.step)}</Notice>;
  if (action.error) {
    return (
      <Notice tone="bad" onDismiss={action.clear}>
        {action.error}
      </Notice>
    );
  }
  return done ? (
    <Notice tone="good" onDismiss={onDismiss}>
      {done}
    </Notice>
  ) : null;
}
