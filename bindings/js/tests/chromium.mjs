// Debian's Chromium without a window, and a server of files on 127.0.0.1 for what it shows.
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
    ".css": "text/css", ".html": "text/html", ".ico": "image/x-icon", ".js": "text/javascript", ".json": "application/json",
    ".map": "application/json", ".mjs": "text/javascript", ".png": "image/png", ".svg": "image/svg+xml", ".txt": "text/plain",
    ".wasm": "application/wasm", ".webmanifest": "application/manifest+json",
};

/** Where Chromium is; undefined: nowhere. CHROMIUM names another one. */
export function findChromium() {
    return [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => path !== undefined && existsSync(path));
}

/**
 * Serves files on 127.0.0.1, at any port that is free. `places`: what stands where, {"/gdvar/": folder, "/data": bytes or
 * text}; the longest place that fits counts, and a folder has its index.html. `headers`: of all answers, or a function of the
 * path. `change(path, bytes)`: what is sent in place of a file. Gives `url` (without a slash at the end), `requests` (each
 * path that was asked for) and `close`.
 */
export async function serve(places, { headers = {}, change = (_path, bytes) => bytes } = {}) {
    const requests = [];
    const names = Object.keys(places).sort((a, b) => b.length - a.length);
    const find = async (path) => {
        const place = names.find((name) => (name.endsWith("/") ? path.startsWith(name) : path === name));
        if (place === undefined) return undefined;
        if (!place.endsWith("/")) return [Buffer.from(places[place]), extname(path)];
        // normalize keeps what is asked for within the folder: the path begins with a slash.
        let file = join(places[place], normalize(`/${path.slice(place.length)}`));
        if ((await stat(file)).isDirectory()) file = join(file, "index.html");
        return [await readFile(file), extname(file)];
    };
    const server = createServer(async (request, response) => {
        const path = decodeURIComponent(new URL(request.url, "http://127.0.0.1").pathname);
        requests.push(path);
        const found = await find(path).catch(() => undefined);
        if (found === undefined) return void response.writeHead(404).end();
        const [bytes, extension] = found;
        const type = TYPES[extension] ?? "application/octet-stream";
        const more = typeof headers === "function" ? headers(path) : headers;
        response.writeHead(200, { "content-type": type, "cache-control": "no-cache", ...more }).end(change(path, bytes));
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    return {
        url: `http://127.0.0.1:${server.address().port}`,
        requests,
        close: () => new Promise((closed) => (server.close(closed), server.closeAllConnections())),
    };
}

/** A browser of playwright-core; `close` ends it. `options`: those of `chromium.launch`. */
export async function launch(options = {}) {
    const { chromium } = await import("playwright-core");
    // Chromium refuses its sandbox to root.
    const args = ["--headless=new", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...(options.args ?? [])];
    // A machine that is busy with other things takes its time.
    return chromium.launch({ executablePath: findChromium(), timeout: 120_000, ...options, args });
}
