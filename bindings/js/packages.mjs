// Writes the folders of the npm packages: gdvar, and one for each system with the command for it. npm installs the ones whose
// `os` and `cpu` fit.
//
//   node packages.mjs TO NAME...    the folders TO/NAME: gdvar, from `dist`; a system such as linux-x64, from build/native
//   node packages.mjs --targets     the systems, each with the TARGET of `scripts/package command` that is in its package
import { chmodSync, cpSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const TARGETS = {
    "linux-x64": "x86_64-linux-musl",
    "linux-arm64": "aarch64-linux-musl",
    "win32-x64": "x86_64-windows-gnu",
    "win32-arm64": "aarch64-windows-gnu",
    "darwin-x64": "x86_64-macos",
    "darwin-arm64": "aarch64-macos",
};

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const header = readFileSync(join(root, "include/gdvar/version.hpp"), "utf8");
const version = ["MAJOR", "MINOR", "PATCH"].map((part) => new RegExp(`define GDVAR_VERSION_${part} (\\d+)`).exec(header)[1]).join(".");
const library = { ...JSON.parse(readFileSync(join(here, "package.json"))), version };

function write(folder, description) {
    writeFileSync(join(folder, "package.json"), JSON.stringify(description, null, 4) + "\n");
    copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
}

/** The library with its command, which searches the system's program. */
function writeLibrary(folder) {
    cpSync(join(here, "dist"), join(folder, "dist"), { recursive: true });
    copyFileSync(join(here, "README.md"), join(folder, "README.md"));
    const optionalDependencies = Object.fromEntries(Object.keys(TARGETS).map((system) => [`@gdvar/${system}`, version]));
    write(folder, { ...library, optionalDependencies });
}

function writeSystem(folder, system) {
    const [os, cpu] = system.split("-");
    const file = os === "win32" ? "gdvar.exe" : "gdvar";
    const { license, author, homepage, repository, bugs } = library;
    mkdirSync(join(folder, "bin"), { recursive: true });
    cpSync(join(root, "build/native", TARGETS[system], file), join(folder, "bin", file));
    chmodSync(join(folder, "bin", file), 0o755);
    write(folder, {
        name: `@gdvar/${system}`,
        version,
        description: `The command of gdvar for ${os} on ${cpu}; install the package gdvar, which brings it`,
        license, author, homepage, repository, bugs,
        os: [os],
        cpu: [cpu],
        // Yarn would keep the program in an archive, where it can't be started.
        preferUnplugged: true,
    });
    writeFileSync(
        join(folder, "README.md"),
        `# @gdvar/${system}\n\nThe command \`gdvar\` for this system. Install the package \`gdvar\`, which brings it.\n`,
    );
}

const [to, ...names] = process.argv.slice(2);
if (to === "--targets") {
    for (const [system, target] of Object.entries(TARGETS)) console.log(system, target);
} else {
    for (const name of names) {
        const folder = join(to, name);
        mkdirSync(folder, { recursive: true });
        if (name === "gdvar") writeLibrary(folder);
        else writeSystem(folder, name);
    }
}
