import "./style.css";
import "./main.ts";
