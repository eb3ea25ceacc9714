import "./style.css";

// The page holds server-rendered HTML. Let the browser paint it before loading the app, which then replaces it.
requestAnimationFrame(() => setTimeout(() => void import("./start.tsx")));
