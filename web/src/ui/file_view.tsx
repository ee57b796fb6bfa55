// One file: its kind, its tree, and views of the selected value.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { MOST_LINE, printable } from "../printable";
import { ArchiveView } from "./archive_view";
import { BytesView } from "./bytes_view";
import { ChangesView } from "./changes_view";
import { CopyButton } from "./copy_button";
import { ask, asked } from "./dialog";
import { startDownload } from "./download_dialog";
import { openInside, type OpenFile, type Panel } from "./files";
import { bytes, count, hex } from "./format";
import { Quiet } from "./parts";
import { RefusalNote } from "./refusal_note";
import { SearchBar } from "./search_bar";
import { SpaceView } from "./space_view";
import { TreeView } from "./tree_view";
import { Unlock } from "./unlock";
import { editWhole, ValueView } from "./value_view";

export function FileView({ file }: { file: OpenFile }) {
    const { value: facts } = file.facts;
    const hasTree = facts.state === "open" || facts.state === "damaged";
    return (
        <main class="file" aria-busy={file.busy.value !== ""}>
            <Head file={file} />
            {facts.state === "damaged" && <Damage file={file} />}
            {facts.state === "locked" && <Unlock file={file} />}
            {facts.state === "refused" && <Refused file={file} />}
            {facts.archive !== undefined && <ArchiveView file={file} archive={facts.archive} />}
            {hasTree && <Panes file={file} />}
        </main>
    );
}

function Head({ file }: { file: OpenFile }) {
    const { value: facts } = file.facts;
    const canUse = facts.state === "open";
    return (
        <div class="file-head">
            <div class="what-it-is">
                <h1>{facts.name}</h1>
                {facts.inside !== "" && (
                    <span>
                        inside <code>{facts.inside}</code>
                    </span>
                )}
                <span class="muted" title="The file that was opened">
                    {bytes(facts.size)}
                </span>
                <button class="stack" title="What this file is, and why" onClick={() => ask("reasons")}>
                    {(facts.stack === "" ? [facts.refusal?.code === "no_memory" ? "not read" : "not recognised"] : facts.stack.split(" > ")).map((layer, i) => (
                        <span key={i} class="chip">
                            {layer}
                        </span>
                    ))}
                    <span class="why">why?</span>
                </button>
                {facts.onlyRead && facts.state === "open" && <span class="chip warn">read-only</span>}
                {facts.leftOver !== undefined && <span class="chip warn">not sound: {facts.leftOver}</span>}
            </div>
            <div class="file-actions">
                {file.busy.value !== "" && (
                    <span class="muted" role="status">
                        {file.busy.value}…
                    </span>
                )}
                <Quiet name="Undo" can={facts.changes.length > 0} title="Undo (Ctrl+Z)" onClick={() => void file.undo()} />
                <Quiet name="Redo" can={facts.undone > 0} title="Redo (Ctrl+Shift+Z)" onClick={() => void file.redo()} />
                <Quiet name="Compare…" can={canUse} onClick={() => ask("compare")} />
                <Quiet name="Convert…" can={canUse && !facts.onlyRead} onClick={() => ask("convert")} />
                {file.host !== undefined && (
                    <button class={file.isInHost.value ? "" : "primary"} disabled={file.isInHost.value} title={`Into ${file.host.title}, as one change`} onClick={() => void file.putBack()}>
                        Put back
                    </button>
                )}
                <button class={facts.changes.length > 0 && file.host === undefined ? "primary" : ""} disabled={!canUse && facts.state !== "damaged"} title="Ctrl+S" onClick={() => startDownload(file)}>
                    {facts.state === "damaged" ? "Download what was recovered" : facts.changes.length > 0 ? `Download (${count(facts.changes.length, "change")})` : "Download"}
                </button>
            </div>
        </div>
    );
}

function inWords(recovered: number, partial: number): string {
    if (partial === 0) return `${count(recovered, "value")} can be read.`;
    if (partial === recovered) return `${count(recovered, "value")} can be read in part.`;
    return `${count(recovered, "value")} can be read, ${partial.toLocaleString("en")} of them in part.`;
}
/** The faults of a partly readable file. */
function Damage({ file }: { file: OpenFile }) {
    const { damage } = file.facts.value;
    if (damage === undefined) return null;
    const { refusal, recovered, partial, lost, notes } = damage;
    return (
        <details class="note warn">
            <summary>
                <strong>This file is damaged.</strong> {inWords(recovered, partial)}
            </summary>
            <p>
                {refusal.message} <code>{refusal.code}</code>
                {refusal.offset !== undefined && (
                    <>
                        {" "}
                        at <code>0x{hex(refusal.offset, 1)}</code>
                    </>
                )}
                {refusal.path !== undefined && (
                    <>
                        , in <code>{refusal.path}</code>
                    </>
                )}
            </p>
            <ul>
                {lost.slice(0, 50).map((range, i) => (
                    <li key={i}>
                        <code>
                            0x{hex(range.begin, 1)}–0x{hex(range.end, 1)}
                        </code>{" "}
                        ({count(range.end - range.begin, "byte")}): {range.reason}
                    </li>
                ))}
                {notes.map((note, i) => (
                    <li key={`n${i}`}>{note}</li>
                ))}
            </ul>
        </details>
    );
}

function Refused({ file }: { file: OpenFile }) {
    const { refusal } = file.facts.value;
    if (refusal?.code === "no_memory") return <TooLarge />;
    return (
        <div class="refused">
            <h2>{file.facts.value.inside === "" ? "This file can't be opened" : "What is inside can't be opened"}</h2>
            <p>
                {refusal?.message} <code>{refusal?.code}</code>
            </p>
            <div class="actions">
                <button onClick={() => ask("reasons")}>Why it was not recognised</button>
                <button onClick={() => ask("read")}>Read it as…</button>
            </div>
        </div>
    );
}
/** Nothing is known of the file, so its kind can't be asked. */
function TooLarge() {
    return (
        <div class="refused">
            <h2>This file needs more memory than is left</h2>
            <p>
                The file may still be valid. Close other files and open it again, or use gdvar's command, which needs less. <code>no_memory</code>
            </p>
        </div>
    );
}

const PANELS: readonly { name: Panel; title: string }[] = [
    { name: "bytes", title: "Bytes" },
    { name: "value", title: "Value" },
    { name: "space", title: "Space" },
    { name: "changes", title: "Changes" },
];

/** The tree's share of the width. */
const [LEAST, MOST] = [0.2, 0.8];

function Panes({ file }: { file: OpenFile }) {
    const share = useSignal(0.52);
    const box = useRef<HTMLDivElement>(null);
    const { value: panel } = file.panel;
    const put = (wanted: number) => (share.value = Math.min(MOST, Math.max(LEAST, wanted)));
    const drag = (event: PointerEvent) => {
        const handle = event.currentTarget as HTMLElement;
        handle.setPointerCapture(event.pointerId);
        const move = (moved: PointerEvent) => {
            const { left, width } = box.current!.getBoundingClientRect();
            put((moved.clientX - left) / width);
        };
        handle.addEventListener("pointermove", move);
        handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), { once: true });
    };
    const step = (event: KeyboardEvent) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        put(share.value + (event.key === "ArrowLeft" ? -0.04 : 0.04));
        event.preventDefault();
    };
    return (
        <div class="panes" ref={box} style={{ "--share": `${share.value * 100}%` }}>
            <div class="pane">
                <SearchBar file={file} />
                <TreeView file={file} />
                <Selection file={file} />
            </div>
            <div
                class="splitter"
                role="separator"
                aria-orientation="vertical"
                aria-label="Width of the tree"
                aria-valuenow={Math.round(share.value * 100)}
                aria-valuemin={LEAST * 100}
                aria-valuemax={MOST * 100}
                tabIndex={0}
                onPointerDown={drag}
                onKeyDown={step}
            />
            <div class="pane side-pane">
                <PanelTabs file={file} />
                <div id="panel" class="panel-box" role="tabpanel" aria-labelledby={`tab-${panel}`}>
                    {panel === "bytes" && <BytesView file={file} />}
                    {panel === "value" && <ValueView file={file} />}
                    {panel === "space" && <SpaceView file={file} />}
                    {panel === "changes" && <ChangesView file={file} />}
                </div>
            </div>
        </div>
    );
}

/** One of the tabs takes the focus; arrows move from tab to tab. */
function PanelTabs({ file }: { file: OpenFile }) {
    const { value: panel } = file.panel;
    const step = (event: KeyboardEvent) => {
        const at = PANELS.findIndex(({ name }) => name === panel);
        const last = PANELS.length - 1;
        const places: Record<string, number> = { ArrowLeft: at === 0 ? last : at - 1, ArrowRight: at === last ? 0 : at + 1, Home: 0, End: last };
        const wanted = PANELS[places[event.key] ?? -1];
        if (wanted === undefined) return;
        event.preventDefault();
        file.panel.value = wanted.name;
        document.getElementById(`tab-${wanted.name}`)?.focus();
    };
    return (
        <div class="panel-tabs" role="tablist" aria-label="Views" onKeyDown={step}>
            {PANELS.map(({ name, title }) => (
                <button
                    key={name}
                    role="tab"
                    id={`tab-${name}`}
                    aria-selected={panel === name}
                    aria-controls="panel"
                    tabIndex={panel === name ? 0 : -1}
                    onClick={() => (file.panel.value = name)}
                >
                    {title}
                    {name === "changes" && file.facts.value.changes.length > 0 && <span class="badge">{file.facts.value.changes.length}</span>}
                </button>
            ))}
        </div>
    );
}

const OPEN_INSIDE = "Open what this value holds, as a file of its own. Changes there can be put back.";
function Selection({ file }: { file: OpenFile }) {
    const { value: selected } = file.selected;
    if (selected === undefined) return null;
    const { canEdit } = file;
    const canEditValue = canEdit && selected.edit !== undefined && selected.look !== "container";
    // Messages are shown in the editor or the dialog, if one is open.
    const isTold = file.editing.value !== undefined || asked.value !== undefined || (file.panel.value === "value" && canEditValue);
    const { listed } = file.facts.value;
    const path = printable(selected.path, MOST_LINE);
    return (
        <footer class="selection">
            <code class="path" title={path}>
                {path}
            </code>
            <span class="muted">{selected.type}</span>
            <span class="actions">
                <CopyButton text={selected.path} label="Copy path" />
                {selected.mayOpen && <Quiet name="Open inside" title={OPEN_INSIDE} onClick={() => void openInside(file, selected.ref)} />}
                <Quiet name="Edit" can={canEditValue} onClick={() => editWhole(file)} />
                <Quiet name="Rename" can={canEdit && selected.key !== undefined} onClick={() => ask("rename")} />
                <Quiet name="Add" can={canEdit && (selected.host !== undefined || listed)} onClick={() => ask("add")} />
                <Quiet name="Delete" can={canEdit && selected.inContainer} onClick={() => void file.remove(selected.ref)} />
            </span>
            {selected.broken !== "" && <p class="note warn">{selected.broken}</p>}
            {file.refusal.value !== undefined && !isTold && <RefusalNote refusal={file.refusal.value} />}
        </footer>
    );
}
