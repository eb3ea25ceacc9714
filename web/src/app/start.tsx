import { startTransition, StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";

const root = document.getElementById("root")!;

function Page() {
  // Tests wait for it before they press anything.
  useEffect(() => void (root.dataset.app = "ready"), []);
  return <App />;
}

// A transition is drawn in small pieces, between which the first picture can be scrolled.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  ),
);
