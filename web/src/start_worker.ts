export const startWorker = () => new Worker(new URL("./worker/api.ts", import.meta.url), { type: "module" });
