import { startTransition, StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";

const root = document.getElementById("root")!;

function Page() {
  // Tests wait for this attribute before they send input.
  useEffect(() => void (root.dataset.app = "ready"), []);
  return <App />;
}

// A transition renders in slices, so that the server-rendered page can be scrolled meanwhile.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  ),
);
