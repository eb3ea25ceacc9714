import { useId, useRef, type KeyboardEvent, type ReactNode } from "react";
import { cx } from "../lib/cx.ts";

export interface Tab {
  id: string;
  label: string;
}

export interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  active: string;
  onChange(id: string): void;
  /** The panel of the active tab. */
  children: ReactNode;
}

/** Tabs after the ARIA authoring practices: arrows, Home and End move and select; Tab moves into the panel. */
export function Tabs({ label, tabs, active, onChange, children }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent): void {
    const at = tabs.findIndex((tab) => tab.id === active);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    onChange(tabs[next]!.id);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  }

  return (
    <>
      <div
        ref={list}
        role="tablist"
        tabIndex={-1}
        aria-label={label}
        className="grid auto-cols-fr grid-flow-col gap-1 rounded-box bg-night p-1"
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === active}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === active ? 0 : -1}
            onClick={() => onChange(tab.id)}
            onKeyDown={onKeyDown}
            className={cx(
              "min-h-11 min-w-0 rounded-[9px] px-0 min-[360px]:px-1",
              "text-[0.8125rem] font-semibold text-fur sm:text-base",
              "transition-colors duration-120 hover:text-moon aria-selected:bg-raised aria-selected:text-moon",
            )}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${active}`} tabIndex={-1} className="pt-5">
        {children}
      </div>
    </>
  );
}
