import { compiled } from "#compiled-saves";
import { serveSaves } from "./engine.js";

serveSaves(compiled);
