import type { ReactNode } from "react";
import { slot } from "../lib/served.ts";
import { When } from "./slots.tsx";

interface MaybeProps {
  /** Go's name of the value. */
  name: string;
  value: string;
  children(value: string): ReactNode;
  no?: ReactNode;
}

/** What needs a value that may be empty: in the running page its own, in a page rendered ahead the one that Go has. */
export function Maybe({ name, value, children, no = null }: MaybeProps) {
  if (import.meta.env.SSR) return <When name={name} yes={children(slot(name))} no={no} />;
  return value ? children(value) : no;
}
