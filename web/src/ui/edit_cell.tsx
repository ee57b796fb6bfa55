// Edits a value in its row. It keeps its type, unless the user chooses another.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Row } from "../worker/shown";
import { startDownload } from "./download_dialog";
import type { OpenFile } from "./files";
import { RefusalNote } from "./refusal_note";
import { editWhole } from "./value_view";

/** The text is a draft of the file from the first letter on (files.ts), so closing the file or leaving the row does not lose it silently. */
export function EditCell({ file, row, onDone }: { file: OpenFile; row: Row; onDone: () => void }) {
    const { value: selected } = file.selected;
    const input = useRef<HTMLInputElement>(null);
    const isOver = useRef(false);
    /** The value when it was selected; undefined until then. */
    const begun = useRef<{ edit: string | undefined } | undefined>(undefined);
    const refused = useRef<string | undefined>(undefined);
    const isThis = selected !== undefined && file.isSelected(row.ref);
    const isLong = isThis && (selected.edit === undefined || /[\r\n]/.test(selected.edit));
    const isOther = isThis && begun.current !== undefined && begun.current.edit !== selected.edit;
    const done = () => {
        if (isOver.current) return;
        isOver.current = true;
        onDone();
    };
    useLayoutEffect(() => {
        // Another value was selected, or this one was changed elsewhere.
        if (isThis ? isOther : begun.current !== undefined) return done();
        if (!isThis) return void file.select(row.ref);
        begun.current = { edit: selected.edit };
        if (isLong) {
            // The editor of whole values shows several lines.
            done();
            editWhole(file);
            return;
        }
        input.current?.focus();
        input.current?.select();
    }, [isThis, isLong, isOther]);
    if (!isThis || selected.edit === undefined) return <span class="value">{row.text}</span>;

    const { edit } = selected;
    const text = file.draftOf(selected);
    const put = async (type: boolean): Promise<boolean> => {
        // A removed field loses the focus: it was applied already.
        if (isOver.current || file.changing !== undefined) return false;
        if (text === edit && !type) {
            done();
            return true;
        }
        const isMade = await file.set(row.ref, text, selected.isText && !type, type);
        if (isMade) {
            file.draft(selected);
            done();
        } else {
            refused.current = text;
            input.current?.focus();
        }
        return isMade;
    };
    const keys = (event: KeyboardEvent) => {
        event.stopPropagation();
        if (event.key === "Enter") {
            // The next keys are for the tree, and wait until this is done.
            document.getElementById("tree")?.focus();
            void put(false);
        }
        if (event.key === "Escape") {
            file.refusal.value = undefined;
            file.draft(selected);
            done();
        }
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
            event.preventDefault();
            void put(false).then(async (isMade) => isMade && startDownload(file));
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
                    onBlur={done}
                    onChange={(event) => void file.set(row.ref, event.currentTarget.value, false).then(done)}
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
                onInput={(event) => {
                    file.refusal.value = undefined;
                    file.draft(selected, event.currentTarget.value);
                }}
                onKeyDown={keys}
                onBlur={(event) => {
                    // A click on a button of the note does not end editing; and a refused text is not applied again.
                    const { relatedTarget: to } = event;
                    if (to instanceof HTMLElement && to.closest(".edit-cell") !== null) return;
                    if (text !== refused.current) void put(false);
                }}
            />
            {file.refusal.value !== undefined && <RefusalNote refusal={file.refusal.value} onType={() => void put(true)} />}
        </span>
    );
}
