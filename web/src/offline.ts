/**
 * Has the service worker keep the page's own files, so that it opens without a network. A browser may refuse it, in private
 * windows for example.
 */
export function keepOffline(): void {
    if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
    navigator.serviceWorker.register("./service_worker.js").catch(() => undefined);
}
