// Measures what a page loads for each import of the npm package: JavaScript as Vite bundles it, and modules, each compressed by
// gzip.
//
//   node web/tests/sizes.mjs            prints the table
//   node web/tests/sizes.mjs --update   writes it into docs/javascript.md
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = join(root, "docs/javascript.md");
const IMPORTS = {
    "`decode`, `encode` of `gdvar`": 'import { decode, encode } from "gdvar"; use(decode, encode);',
    "and `overWebSocket` of `gdvar/websocket`": 'import { decode, encode } from "gdvar"; import { overWebSocket } from "gdvar/websocket"; use(decode, encode, overWebSocket);',
    "and `varToStr`, `strToVar` of `gdvar/tools`": 'import { decode, encode } from "gdvar"; import { varToStr, strToVar } from "gdvar/tools"; use(decode, encode, varToStr, strToVar);',
    "all of `gdvar/tools`": 'import * as gdvar from "gdvar"; import * as tools from "gdvar/tools"; use(gdvar, tools);',
    "`SaveFile` of `gdvar/saves`": 'import { SaveFile } from "gdvar/saves"; use(SaveFile);',
    "all of `gdvar/saves`": 'import * as gdvar from "gdvar"; import * as saves from "gdvar/saves"; use(gdvar, saves);',
};

/** A project folder in which "gdvar" is the package of this tree, for as long as `work`. */
export async function inProject(work) {
    const folder = mkdtempSync(join(tmpdir(), "gdvar-bundle-"));
    try {
        mkdirSync(join(folder, "node_modules"));
        symlinkSync(join(root, "bindings/js"), join(folder, "node_modules/gdvar"));
        writeFileSync(join(folder, "package.json"), '{"type": "module"}');
        return await work(folder);
    } finally {
        rmSync(folder, { recursive: true });
    }
}

/** For each import: bytes of JavaScript, and of modules. */
export function measure() {
    return inProject(async (folder) => {
        const sizes = {};
        for (const [name, code] of Object.entries(IMPORTS)) {
            writeFileSync(join(folder, "entry.js"), code.replace(/use\((.*)\);/, "globalThis.used = [$1];"));
            const output = { target: "esnext", outDir: "out", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: false, rolldownOptions: { input: join(folder, "entry.js") } };
            await build({ root: folder, configFile: false, logLevel: "error", build: output });
            const of = (ending) => readdirSync(join(folder, "out/assets")).filter((file) => file.endsWith(ending))
                .reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, "out/assets", file)), { level: 9 }).length, 0);
            sizes[name] = [of(".js"), of(".wasm")];
        }
        return sizes;
    });
}

const kB = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
/** The table of docs/javascript.md. */
export function table(sizes) {
    const rows = Object.entries(sizes).map(([name, [script, modules]]) => `| ${name} | ${kB(script)} | ${kB(modules)} | ${kB(script + modules)} |\n`);
    return `| import | JavaScript | modules | together |\n|---|---:|---:|---:|\n${rows.join("")}`;
}
/** The sizes that the page has, in kB. */
export function onPage() {
    const rows = readFileSync(page, "utf8").matchAll(/^\| (.+) \| (\d+) kB \| (\d+) kB \| (\d+) kB \|$/gm);
    return Object.fromEntries([...rows].map(([, name, ...sizes]) => [name, sizes.map(Number)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const fresh = table(await measure());
    if (process.argv.includes("--update")) {
        writeFileSync(page, readFileSync(page, "utf8").replace(/^\| import \| JavaScript \| modules .*\n(\|.*\n)*/m, () => fresh));
    } else {
        process.stdout.write(fresh);
    }
}
