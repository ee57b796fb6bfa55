// For the single-file page, which contains the worker.
import Inline from "./worker/api.ts?worker&inline";

export const startWorker = () => new Inline();
