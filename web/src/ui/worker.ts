import { proxy, wrap, type Remote } from "comlink";
import { startWorker } from "#worker";
import type { Api } from "../worker/api";

const running = startWorker();
export type Library = Remote<Api>;
/** Resolves when the library is ready. */
export const worker: Promise<Library> = new Promise((take, fail) => {
    running.addEventListener("message", () => take(wrap<Api>(running)), { once: true });
    running.addEventListener("error", (event) => fail(new Error(event.message || "the library could not be started")), { once: true });
});
export { proxy };
