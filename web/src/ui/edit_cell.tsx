// A value that is edited where it stands. It keeps its type, unless someone says otherwise.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Row } from "../worker/shown";
import { startDownload } from "./download_dialog";
import type { OpenFile } from "./files";
import { RefusalNote } from "./refusal_note";
import { editWhole } from "./value_view";

export function EditCell({ file, row, onDone }: { file: OpenFile; row: Row; onDone: () => void }) {
    const { value: selected } = file.selected;
    const input = useRef<HTMLInputElement>(null);
    const isPut = useRef(false);
    /** What the value was when it was selected. */
    const begun = useRef<{ path: string; edit: string } | undefined>(undefined);
    const given = useSignal<string | undefined>(undefined);
    const isThis = selected !== undefined && file.isSelected(row.ref);
    const isLong = isThis && (selected.edit === undefined || /[\r\n]/.test(selected.edit));
    useLayoutEffect(() => {
        if (!isThis) {
            const { current: was } = begun;
            if (was === undefined) return void file.select(row.ref);
            // Another value was selected. What was refused here waits in the editor of whole values.
            if (!isPut.current && given.value !== undefined && given.value !== was.edit) file.draft(was.path, { text: given.value, of: was.edit });
            return onDone();
        }
        begun.current = { path: selected.path, edit: selected.edit ?? "" };
        if (isLong) {
            // The editor of whole values shows several lines.
            onDone();
            editWhole(file);
            return;
        }
        input.current?.focus();
        input.current?.select();
    }, [isThis, isLong]);
    if (!isThis || selected.edit === undefined) return <span class="value">{row.text}</span>;

    const text = given.value ?? selected.edit;
    const put = async (type: boolean) => {
        // The field loses the focus when it goes: it was put already.
        if (isPut.current) return;
        if (text === selected.edit && !type) return onDone();
        isPut.current = true;
        if (await file.set(row.ref, text, selected.isText && !type, type)) onDone();
        else isPut.current = false;
    };
    const keys = (event: KeyboardEvent) => {
        event.stopPropagation();
        if (event.key === "Enter") void put(false);
        if (event.key === "Escape") {
            file.refusal.value = undefined;
            // The field loses the focus when it goes, which is no reason to put what was typed.
            isPut.current = true;
            onDone();
        }
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
            event.preventDefault();
            void put(false).then(() => file.refusal.value === undefined && startDownload(file));
        }
    };
    if (row.type === "bool") {
        return (
            <span class="edit-cell">
                <select
                    aria-label={`Value of ${row.label}`}
                    ref={(element) => element?.focus()}
                    value={selected.edit}
                    onKeyDown={keys}
                    onBlur={onDone}
                    onChange={(event) => void file.set(row.ref, event.currentTarget.value, false).then(onDone)}
                >
                    <option>true</option>
                    <option>false</option>
                </select>
            </span>
        );
    }
    return (
        <span class="edit-cell" onClick={(event) => event.stopPropagation()} onDblClick={(event) => event.stopPropagation()}>
            <input
                ref={input}
                aria-label={`Value of ${row.label}`}
                spellcheck={false}
                autocomplete="off"
                value={text}
                onInput={(event) => (given.value = event.currentTarget.value)}
                onKeyDown={keys}
                onBlur={(event) => {
                    // A click on a button of the note is no end of editing.
                    if ((event.relatedTarget as HTMLElement | null)?.closest(".edit-cell") === null || event.relatedTarget === null) {
                        if (file.refusal.value === undefined) void put(false);
                    }
                }}
            />
            {file.refusal.value !== undefined && <RefusalNote refusal={file.refusal.value} onType={() => void put(true)} />}
        </span>
    );
}
