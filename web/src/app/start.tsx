import { startTransition, StrictMode, useEffect, type ComponentType } from "react";
import { createRoot } from "react-dom/client";
import { followKeyboard } from "../lib/keyboard.ts";
import { site } from "../lib/site.ts";
import { DashboardPage } from "../pages/DashboardPage.tsx";
import { App } from "./App.tsx";

/**
 * Loads the page at "/". What the server has rendered of it stays until then. If it can't be loaded, the error page is
 * shown.
 */
function loadHome(): Promise<ComponentType> {
  if (site.variant !== "dummy") return Promise.resolve(DashboardPage);
  return import("../pages/TestPage.tsx").then(
    (module) => module.default,
    (error: unknown) => () => {
      throw error;
    },
  );
}

const root = document.getElementById("root")!;

function Page({ home }: { home: ComponentType }) {
  // Tests wait for this attribute before they send input.
  useEffect(() => void (root.dataset.app = "ready"), []);
  return <App home={home} />;
}

followKeyboard();

// A transition renders in slices, so that the server-rendered page can be scrolled meanwhile.
void loadHome().then((home) =>
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Page home={home} />
      </StrictMode>,
    ),
  ),
);
