import { useSignal } from "@preact/signals";
import type { Comparison, Difference } from "../worker/shown";
import { Dialog } from "./dialog";
import { active, files, openFiles, type OpenFile } from "./files";
import { count } from "./format";
import { pickFiles } from "./pick";
import { RefusalNote } from "./refusal_note";
import { useAnswer } from "./use_answer";
import { Virtual } from "./virtual";

/** The differences between this file and another one. */
export function CompareDialog({ file }: { file: OpenFile }) {
    const others = files.value.filter((other) => other !== file && other.facts.value.state === "open");
    // A file of the same kind is the likely one.
    const alike = others.find((other) => other.facts.value.kind === file.facts.value.kind) ?? others[0];
    const with_ = useSignal<number | undefined>(alike?.id);
    const other = others.find(({ id }) => id === with_.value);
    const result = useAnswer(() => other && file.ask((it) => it.compare(file.id, other.id)), [other]);
    const pick = async () => {
        const before = files.value.length;
        await openFiles(await pickFiles(false));
        const added = files.value[before];
        if (added === undefined) return;
        // The current file stays in front.
        active.value = file;
        with_.value = added.id;
    };
    return (
        <Dialog title={`Compare ${file.title}`} wide>
            <div class="actions">
                <label class="inline">
                    with
                    <select value={with_.value} onChange={(event) => (with_.value = Number(event.currentTarget.value))}>
                        {others.length === 0 && <option>no other file is open</option>}
                        {others.map((row) => (
                            <option key={row.id} value={row.id}>
                                {row.title}
                            </option>
                        ))}
                    </select>
                </label>
                <button onClick={() => void pick()}>Open another file…</button>
            </div>
            {other !== undefined && result.value === undefined && <p class="muted">Comparing…</p>}
            {other !== undefined && result.value !== undefined && <Result result={result.value} from={file.title} to={other.title} />}
        </Dialog>
    );
}

function Result({ result, from, to }: { result: Comparison; from: string; to: string }) {
    if (result.refusal !== undefined) return <RefusalNote refusal={result.refusal} />;
    if (result.total === 0) return <p role="status">{result.sameBytes ? "The files are the same, byte for byte." : "All values are equal, but the bytes differ."}</p>;
    const row = (index: number) => <Line difference={result.differences[index]!} />;
    return (
        <>
            <p role="status">
                {count(result.total, "difference")}
                {result.total > result.differences.length && `; the first ${result.differences.length.toLocaleString("en")} are shown`}
            </p>
            <ul class="legend muted" aria-label="What the signs mean">
                <li>{MARKS.changed} changed</li>
                <li>
                    {MARKS.removed} only in {from}
                </li>
                <li>
                    {MARKS.added} only in {to}
                </li>
            </ul>
            {result.differences.some(({ what, path }) => what !== "changed" && /\d\]$|^#/.test(path)) && (
                <p class="muted">Elements are counted as they are when the changes are made one after the other, in this order.</p>
            )}
            <Virtual class="differences" role="group" tabIndex={0} aria-label="Differences" total={result.differences.length} rowHeight={26} row={row} />
        </>
    );
}
const MARKS = { changed: "~", added: "+", removed: "−", reordered: "↕" } as const;
function Line({ difference: { what, path, before, after } }: { difference: Difference }) {
    return (
        <div class={`difference ${what}`} title={`${path}\n${before}\n${after}`}>
            <span class="mark" role="img" aria-label={what}>
                {MARKS[what]}
            </span>
            <code class="path">{path}</code>
            {before !== "" && <del>{before}</del>}
            {after !== "" && <ins>{after}</ins>}
            {what === "reordered" && <span class="muted">its keys have another order</span>}
        </div>
    );
}
