import { FailureText } from "../ui/FailureText.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Conflict } from "./Conflict.tsx";
import { GiveUp } from "./GiveUp.tsx";
import { OtherForm } from "./OtherForm.tsx";
import { stepText, type Action } from "./useAction.ts";

interface ActionNoticeProps {
  action: Action;
  done: string | null;
  onDismiss(): void;
  /** Repeats the failed action. */
  onRetry(): void;
}

/** The progress, failure or success of an action. */
export function ActionNotice({ action, done, onDismiss, onRetry }: ActionNoticeProps) {
  if (action.step) {
    return (
      <Notice>
        <p>{stepText(action.step)}</p>
        {action.step === "signing" && <GiveUp action={action} />}
      </Notice>
    );
  }
  if (action.error) {
    return (
      <Notice tone="bad" onDismiss={action.clear}>
        <FailureText failure={action.error} />
        <Conflict error={action.failure} />
        {action.tryTransaction && <OtherForm onRetry={onRetry} />}
      </Notice>
    );
  }
  return done ? (
    <Notice tone="good" onDismiss={onDismiss}>
      {done}
    </Notice>
  ) : null;
}
