import { compiled } from "#compiled-tools";
import { serveTools } from "./engine.js";

serveTools(compiled);
