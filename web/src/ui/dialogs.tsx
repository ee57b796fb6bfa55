import { useSignal } from "@preact/signals";
import { MOST_LINE, printable } from "../printable";
import type { Finding } from "../worker/shown";
import { CompareDialog } from "./compare_dialog";
import { ConvertDialog } from "./convert_dialog";
import { ask, asked, Dialog } from "./dialog";
import { DownloadDialog } from "./download_dialog";
import { active, type OpenFile } from "./files";
import { FormDialog } from "./form_dialog";
import { ReadDialog } from "./read_dialog";

export function Dialogs() {
    const { value: file } = active;
    const { value: what } = asked;
    if (what === "help") return <Help />;
    if (what === undefined || file === undefined) return null;
    const Of = DIALOGS[what];
    return <Of file={file} />;
}

const DIALOGS = { rename: Rename, add: Add, convert: ConvertDialog, compare: CompareDialog, download: DownloadDialog, reasons: Reasons, read: ReadDialog };

function Rename({ file }: { file: OpenFile }) {
    const { value: selected } = file.selected;
    const key = useSignal(selected?.key ?? "");
    if (selected === undefined) return null;
    return (
        <FormDialog file={file} title="Rename" action="Rename" put={() => file.rename(selected.ref, key.value)}>
            <label>
                Key <span class="muted">a Godot value; other text is taken as a String</span>
                <input
                    autofocus
                    spellcheck={false}
                    value={key.value}
                    onFocus={(event) => event.currentTarget.select()}
                    onInput={(event) => (key.value = event.currentTarget.value)}
                />
            </label>
        </FormDialog>
    );
}

function Add({ file }: { file: OpenFile }) {
    const { value: selected } = file.selected;
    const { value: facts } = file.facts;
    const key = useSignal("");
    const text = useSignal("");
    // To the selected value, or beside it; to the file itself, if it is a list, beside a value of the file.
    const inside = selected?.host;
    const needsKey = inside === undefined ? facts.kind === "project" || facts.kind === "config" : inside.holds !== "elements";
    const title = inside === undefined ? "Add a value to the file" : `Add to ${printable(inside.path, MOST_LINE)}`;
    return (
        <FormDialog file={file} title={title} action="Add" put={() => file.add(inside?.ref, key.value, text.value)}>
            {needsKey && (
                <label>
                    {inside?.holds === "pairs" ? "Key" : "Name"} <span class="muted">{inside?.holds === "pairs" && "a Godot value; other text is taken as a String"}</span>
                    <input autofocus spellcheck={false} required value={key.value} onInput={(event) => (key.value = event.currentTarget.value)} />
                </label>
            )}
            <label>
                Value <span class="muted">as Godot text: 5, 0.5, "text", [1, 2]{facts.kind.startsWith("json") ? "" : ", Vector2(1, 2)"}</span>
                <textarea
                    autofocus={!needsKey}
                    rows={3}
                    spellcheck={false}
                    required
                    value={text.value}
                    onInput={(event) => (text.value = event.currentTarget.value)}
                    onKeyDown={(event) => {
                        if (event.key !== "Enter" || event.shiftKey) return;
                        event.preventDefault();
                        event.currentTarget.form?.requestSubmit();
                    }}
                />
            </label>
        </FormDialog>
    );
}

/** The file's kind, layer by layer, with reasons. */
function Reasons({ file }: { file: OpenFile }) {
    const { value: facts } = file.facts;
    return (
        <Dialog title={`What ${facts.name} is`}>
            <ol class="reasons">
                {facts.findings.map((finding, i) => (
                    <li key={i}>
                        <strong>{finding.name}</strong>
                        {finding.at !== "" && <code> {finding.at}</code>}
                        <p>{finding.reason}</p>
                        <Others title="It could also be…" others={finding.others} />
                        <Others title="What it is not, and why" others={finding.ruledOut} />
                    </li>
                ))}
            </ol>
            {facts.dialect !== "" && (
                <p>
                    Its values are read as <strong>{facts.dialect}</strong>.
                </p>
            )}
            {facts.state !== "archive" && (
                <div class="actions">
                    <button onClick={() => ask("read")}>Read it as…</button>
                </div>
            )}
        </Dialog>
    );
}

function Others({ title, others }: { title: string; others: Finding["others"] }) {
    if (others.length === 0) return null;
    return (
        <details>
            <summary>{title}</summary>
            <ul>
                {others.map((other, i) => (
                    <li key={i}>
                        <strong>{other.name}</strong>: {other.reason}
                    </li>
                ))}
            </ul>
        </details>
    );
}

const KEYS = [
    ["Up, Down, Page Up, Page Down, Home, End", "move"],
    ["Right, Left", "open a value and go into it; close it and go out"],
    ["Space", "open or close"],
    ["Enter, double click", "edit a value"],
    ["F2", "rename a key"],
    ["Insert, A", "add a value"],
    ["Delete", "delete"],
    ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"],
    ["/ or Ctrl+F", "search keys and values, or a path such as $.players[*].hp"],
    ["Ctrl+O, Ctrl+S", "open files, download"],
] as const;

function Help() {
    return (
        <Dialog title="gdvar">
            <p>
                This page opens saves and packets of Godot and Pandemonium games, shows what is in them, and changes them. All of it happens on this
                device: no file leaves it. All that you do not change stays as it was, byte for byte.
            </p>
            <h3>Keys</h3>
            <table class="keys">
                <tbody>
                    {KEYS.map(([key, what]) => (
                        <tr key={key}>
                            <th scope="row">{key}</th>
                            <td>{what}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
            <h3>Search</h3>
            <p>
                A text is looked for in keys and values; upper and lower case are alike. A text that begins with <code>$</code>, or with <code>#</code> and a number, is a path:{" "}
                <code>$.players[3].hp</code>, <code>$..pos</code>, <code>#2 $.name</code>.
            </p>
        </Dialog>
    );
}
