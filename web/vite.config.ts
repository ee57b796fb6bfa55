import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

// Two builds: dist/site, static files for any host, and dist/gdvar.html, one file that opens by a double click.

const policy = (given: Record<string, string>) =>
    Object.entries({ "default-src": "'none'", "base-uri": "'none'", "form-action": "'none'", ...given })
        .map(([name, sources]) => `${name} ${sources}`)
        .join("; ");
function withPolicy(html: string, given: Record<string, string>): string {
    const first = '<meta charset="utf-8" />';
    if (!html.includes(first)) throw new Error("there is no place for the policy");
    return html.replace(first, `${first}\n        <meta http-equiv="Content-Security-Policy" content="${policy(given)}" />`);
}

/** Only the page's own files are loaded, and nothing is sent. */
function site(): Plugin {
    return {
        name: "gdvar-site",
        apply: "build",
        transformIndexHtml: (html) =>
            withPolicy(html, {
                "script-src": "'self' 'wasm-unsafe-eval'",
                "worker-src": "'self'",
                "connect-src": "'self'",
                "style-src": "'self'",
                "font-src": "'self'",
                "img-src": "'self'",
                "manifest-src": "'self'",
            }),
    };
}

/** Files copied unchanged. */
const PUBLIC = ["icon.svg", "manifest.webmanifest"];

/** The service worker knows the names of all files of the build. */
function offline(): Plugin {
    return {
        name: "gdvar-offline",
        apply: "build",
        generateBundle: {
            order: "post",
            handler(_, bundle) {
                const worker = Object.values(bundle).find((file) => file.type === "chunk" && file.name === "service_worker");
                if (worker?.type !== "chunk") this.error("there is no service worker");
                const names = Object.keys(bundle).filter((name) => name !== worker.fileName && !name.endsWith(".map"));
                const all = ["./", ...PUBLIC.map((name) => `./${name}`), ...names.filter((name) => name !== "index.html").map((name) => `./${name}`)].sort();
                const hash = createHash("sha256");
                for (const name of names.sort()) {
                    const file = bundle[name]!;
                    hash.update(name).update(file.type === "chunk" ? file.code : file.source);
                }
                for (const name of PUBLIC) hash.update(name).update(readFileSync(new URL(`./public/${name}`, import.meta.url)));
                worker.code = worker.code.replace(/["'`]GDVAR_FILES["'`]/, JSON.stringify(all)).replace("GDVAR_VERSION", hash.digest("hex").slice(0, 16));
            },
        },
    };
}

const source = (name: string) => fileURLToPath(new URL(`./src/${name}`, import.meta.url));
const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Script and style are inlined; the policy names their hashes. */
function oneFile(): Plugin {
    return {
        name: "gdvar-one-file",
        apply: "build",
        enforce: "post",
        generateBundle: {
            order: "post",
            handler(_, bundle) {
                const html = bundle["index.html"];
                if (html?.type !== "asset") this.error("there is no page");
                const chunk = Object.values(bundle).filter((file) => file.type === "chunk");
                const styles = Object.values(bundle).filter((file) => file.type === "asset" && file.fileName.endsWith(".css"));
                if (chunk.length !== 1 || chunk[0]?.type !== "chunk") this.error("the page has more than one script");
                const script = chunk[0].code.replaceAll("</script", "<\\/script");
                const style = styles.map((file) => (file.type === "asset" ? String(file.source) : "")).join("");
                const given = {
                    "script-src": `${hashOf(script)} 'wasm-unsafe-eval'`,
                    "worker-src": "blob:",
                    "connect-src": "'none'",
                    "style-src": hashOf(style),
                    "font-src": "data:",
                };
                const page = String(html.source)
                    .replace(/<script type="module"[^>]*><\/script>/, "")
                    .replace(/<link rel="(stylesheet|manifest|icon)"[^>]*>\s*/g, "")
                    .replace("</head>", () => `<style>${style}</style></head>`)
                    .replace("</body>", () => `<script type="module">${script}</script></body>`);
                for (const name of Object.keys(bundle)) delete bundle[name];
                this.emitFile({ type: "asset", fileName: "gdvar.html", source: withPolicy(page, given) });
            },
        },
    };
}

export default defineConfig(({ mode }) => {
    const isOneFile = mode === "one-file";
    return {
        base: "./",
        publicDir: isOneFile ? false : "public",
        assetsInclude: ["**/*.save"],
        resolve: {
            alias: {
                "#worker": isOneFile ? source("start_worker_inline.ts") : source("start_worker.ts"),
                "#offline": isOneFile ? source("offline_never.ts") : source("offline.ts"),
                ...(isOneFile ? { "#compiled-saves": source("worker/compiled_inline_saves.ts"), "#compiled": source("worker/compiled_inline.ts") } : {}),
            },
        },
        plugins: isOneFile ? [oneFile()] : [site(), offline()],
        worker: { format: isOneFile ? ("iife" as const) : ("es" as const) },
        build: {
            target: "es2022",
            outDir: isOneFile ? "dist" : "dist/site",
            emptyOutDir: !isOneFile,
            assetsInlineLimit: isOneFile ? Number.MAX_SAFE_INTEGER : 0,
            modulePreload: false as const,
            rollupOptions: isOneFile
                ? {}
                : {
                      input: { index: "index.html", service_worker: "src/service_worker.ts" },
                      output: { entryFileNames: (chunk) => (chunk.name === "service_worker" ? "service_worker.js" : "assets/[name]-[hash].js") },
                  },
        },
    };
});
