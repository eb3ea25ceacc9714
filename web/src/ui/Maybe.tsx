import type { ReactNode } from "react";
import { slot } from "../lib/served.ts";
import { When } from "./slots.tsx";

interface MaybeProps {
  /** Name of the value in Go's template. */
  name: string;
  value: string;
  children(value: string): ReactNode;
  no?: ReactNode;
}

/** Renders `children` if a value is not empty: in the running page by `value`, in a prerendered page by Go's value. */
export function Maybe({ name, value, children, no = null }: MaybeProps) {
  if (import.meta.env.SSR) return <When name={name} yes={children(slot(name))} no={no} />;
  return <>{value ? children(value) : no}</>;
}
