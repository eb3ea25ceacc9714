import { Component, type ErrorInfo, type ReactNode } from "react";

interface Props {
  /** Replaces the failed content; `id` is the error id to quote to support. */
  fallback: (id: string) => ReactNode;
  children: ReactNode;
}

/** An error boundary: keeps an error in one part from removing the rest of the page. */
export class Catch extends Component<Props, { id: string | null }> {
  override state: { id: string | null } = { id: null };

  static getDerivedStateFromError(): { id: string } {
    return { id: crypto.getRandomValues(new Uint32Array(1))[0]!.toString(16).padStart(8, "0") };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error("render error", this.state.id, error, info.componentStack);
  }

  override render(): ReactNode {
    return this.state.id === null ? this.props.children : this.props.fallback(this.state.id);
  }
}
