// For the page in one file: the worker is inside of it.
import Inline from "./worker/api.ts?worker&inline";

export const startWorker = () => new Inline();
