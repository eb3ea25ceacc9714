import "./style.css";
import { pictured, watchPicture } from "./picture.ts";

watchPicture();
void pictured().then(() => import("./start.tsx"));
