import { startTransition, StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { takeOver } from "./picture.ts";

function Page() {
  useEffect(takeOver, []);
  return <App />;
}

const root = createRoot(document.getElementById("root")!);

// A transition is drawn in small pieces, between which the page answers: the picture that the server wrote can be scrolled.
startTransition(() =>
  root.render(
    <StrictMode>
      <Page />
    </StrictMode>,
  ),
);
