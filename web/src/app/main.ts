import "./style.css";

// The server has written a first picture into the page. It is painted before the app is loaded, which then draws over
// it.
requestAnimationFrame(() => setTimeout(() => void import("./start.tsx")));
