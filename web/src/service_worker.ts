// Keeps the files of the page, so that it opens without a network. Each build has a cache of its own, and so has each folder of
// the host with the page; requests for other files go to the network.
const worker = self as unknown as ServiceWorkerGlobalScope;

// The build inserts the list and the hash of all files.
const files = "GDVAR_FILES" as unknown as string[];
const ours = `gdvar ${worker.registration.scope} `;
const cache = `${ours}GDVAR_VERSION`;
// The browser's cache may still have the previous version's files.
const fresh = files.map((file) => new Request(file, { cache: "reload" }));

worker.addEventListener("install", (event) => {
    event.waitUntil(
        caches
            .open(cache)
            .then((kept) => kept.addAll(fresh))
            .then(() => worker.skipWaiting()),
    );
});
worker.addEventListener("activate", (event) => {
    const drop = async () => {
        for (const name of await caches.keys()) if (name.startsWith(ours) && name !== cache) await caches.delete(name);
        await worker.clients.claim();
    };
    event.waitUntil(drop());
});
worker.addEventListener("fetch", (event) => {
    const isOurs = event.request.method === "GET" && new URL(event.request.url).origin === worker.location.origin;
    if (!isOurs) return;
    const answer = async () => {
        const kept = await (await caches.open(cache)).match(event.request, { ignoreSearch: true });
        return kept ?? fetch(event.request);
    };
    event.respondWith(answer());
});
