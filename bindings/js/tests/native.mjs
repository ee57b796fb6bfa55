// Compares the answers of the native library (native/) with the package's.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

const run = promisify(execFile);
const program = process.env.GDVAR_JS_VERDICTS;
/** Why nothing is compared; false: it is. */
export const skip = program === undefined ? "GDVAR_JS_VERDICTS does not name the program of tests/native" : false;

/** A file of cases, and what the native library says of them. */
export class Native {
    #folder = mkdtempSync(`${tmpdir()}/gdvar-native-`);
    #path = `${this.#folder}/cases`;
    constructor(file) {
        writeFileSync(this.#path, file);
    }
    #hashes = undefined;
    hashes() {
        return (this.#hashes ??= run(program, [this.#path], { maxBuffer: 1 << 30 }).then(({ stdout }) => stdout.trimEnd().split("\n")));
    }
    async answer(number) {
        return (await run(program, [this.#path, String(number)], { maxBuffer: 1 << 30 })).stdout;
    }
    /** The first differences, in words; none: "". `answer(number)`: what the package says of one. */
    async differences(hashes, answer, most = 5) {
        const wanted = await this.hashes();
        if (hashes.length !== wanted.length) return `${hashes.length} answers, ${wanted.length} native ones`;
        const numbers = [...wanted.keys()].filter((i) => hashes[i] !== wanted[i]);
        if (numbers.length === 0) return "";
        let shown = `${numbers.length} of ${wanted.length} differ`;
        for (const number of numbers.slice(0, most)) {
            const [native, given] = [await this.answer(number), await answer(number)].map((text) => text.split("\n"));
            const line = native.findIndex((text, i) => text !== given[i]);
            shown += `\ncase ${number}, line ${line}:\n  native:  ${native[line]}\n  package: ${given[line]}`;
        }
        return shown;
    }
    close() {
        rmSync(this.#folder, { recursive: true });
    }
}
