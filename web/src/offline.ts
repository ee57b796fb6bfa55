/** The service worker keeps the page's own files, so that it opens without a network. A browser may refuse it: in private windows. */
export function keepOffline(): void {
    if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
    navigator.serviceWorker.register("./service_worker.js").catch(() => undefined);
}
