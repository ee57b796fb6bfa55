import { useSignal } from "@preact/signals";
import type { Selected } from "../worker/shown";
import { printableLines } from "../printable";
import { CopyButton } from "./copy_button";
import { download, type OpenFile } from "./files";
import { bytes as sizeText } from "./format";
import { Quiet, Switch } from "./parts";
import { RefusalNote } from "./refusal_note";
import { useAnswer } from "./use_answer";

const FORMS = [
    { value: "text", name: "Godot text", title: "As the engine's var_to_str prints it", ending: "txt", lines: "txt" },
    { value: "json", name: "JSON", title: "Typed JSON, which loses nothing", ending: "json", lines: "jsonl" },
    { value: "plain", name: "Plain JSON", title: "For other tools; types are lost", ending: "json", lines: "jsonl" },
] as const;
/** The most bytes of a value that is printed at once. */
const MOST_PRINTED = 256 << 10;

export function ValueView({ file }: { file: OpenFile }) {
    const { value: selected } = file.selected;
    if (selected === undefined) return null;
    return (
        <section class="panel" aria-label="Value">
            {file.canEdit && selected.edit !== undefined && selected.look !== "container" && <Editor file={file} selected={selected} />}
            <Printed file={file} selected={selected} />
        </section>
    );
}

/** Shows the editor of the selected value with the focus. */
export function editWhole(file: OpenFile): void {
    file.panel.value = "value";
    requestAnimationFrame(() => document.getElementById("value-text")?.focus());
}
function Editor({ file, selected }: { file: OpenFile; selected: Selected }) {
    const text = file.draftOf(selected);
    const isChanged = text !== selected.edit;
    const put = async (changeType = false) => {
        if (await file.set(selected.ref, text, selected.isText && !changeType, changeType)) file.draft(selected);
    };
    return (
        <form
            class="editor"
            onSubmit={(event) => {
                event.preventDefault();
                void put();
            }}
        >
            <label>
                Value <span class="muted">{selected.isText ? `the text of a ${selected.type}` : `${/^[AEIOUaeiou]/.test(selected.type) ? "an" : "a"} ${selected.type}, as Godot text`}</span>
                <textarea
                    id="value-text"
                    rows={Math.min(10, Math.max(2, text.split("\n").length))}
                    spellcheck={false}
                    value={text}
                    onInput={(event) => file.draft(selected, event.currentTarget.value)}
                    onKeyDown={(event) => {
                        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void put();
                    }}
                />
            </label>
            {file.refusal.value !== undefined && <RefusalNote refusal={file.refusal.value} onType={() => void put(true)} />}
            <div class="actions">
                <button class="primary" disabled={!isChanged}>
                    Apply
                </button>
                <button type="button" disabled={!isChanged} onClick={() => file.draft(selected)}>
                    Reset
                </button>
            </div>
        </form>
    );
}

function Printed({ file, selected }: { file: OpenFile; selected: Selected }) {
    const form = useSignal<(typeof FORMS)[number]["value"]>("text");
    const size = selected.end - selected.begin;
    const isLarge = size > MOST_PRINTED;
    const about = FORMS.find(({ value }) => value === form.value)!;
    const print = async () => {
        const { text, refusal } = await file.ask((it) => it.print(file.id, selected.ref, form.value));
        return { text: refusal?.message ?? text ?? "", isBad: refusal !== undefined };
    };
    const shown = useAnswer(() => (isLarge ? undefined : print()), [selected, form.value]);
    const save = async () => {
        const { text, isBad } = await print();
        if (isBad) shown.value = { text, isBad };
        else download(`${file.facts.value.name}.${about.ending}`, new Blob([text], { type: "text/plain" }));
    };
    const saveAll = async () => {
        const { text, refusal } = await file.during("exporting", () => file.ask((it) => it.exportAll(file.id, form.value)));
        if (refusal !== undefined) shown.value = { text: refusal.message, isBad: true };
        else if (text !== undefined) download(`${file.facts.value.name}.${about.lines}`, text);
    };
    return (
        <div class="printed">
            <header class="panel-head">
                <Switch label="Show as" choices={FORMS} value={form} />
                <span class="actions">
                    <CopyButton text={shown.value?.isBad === false ? shown.value.text : undefined} label="Copy" />
                    <Quiet name="Export" title="This value as a file" onClick={() => void save()} />
                    {file.facts.value.listed && <Quiet name="Export all" title="All values of the file in one text" onClick={() => void saveAll()} />}
                </span>
            </header>
            <p class="muted about">{about.title}.</p>
            {isLarge && shown.value === undefined ? (
                <p class="muted pad">
                    This value has {sizeText(size)}: printing it may be slow. <button onClick={() => void print().then((got) => (shown.value = got))}>Print it</button>, or export it.
                </p>
            ) : (
                <pre role="region" class={`text${shown.value?.isBad ? " bad" : ""}`} tabIndex={0} aria-label={about.name}>
                    {shown.value && printableLines(shown.value.text)}
                </pre>
            )}
        </div>
    );
}
