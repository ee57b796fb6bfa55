import { useCallback, useEffect } from "preact/hooks";
import type { Row } from "../worker/shown";
import { EditCell } from "./edit_cell";
import { ask } from "./dialog";
import type { OpenFile } from "./files";
import { count, short } from "./format";
import { Virtual } from "./virtual";

export const ROW_HEIGHT = 24;

export function TreeView({ file }: { file: OpenFile }) {
    // Read here, so that the rows are drawn again when they arrive.
    file.rows.came.value;
    const { value: selected } = file.selected;
    const { editing } = file;
    const range = useCallback((first: number, last: number) => void file.rows.want(first, last), [file]);

    const name = (row: Row) => `${row.ref.value}.${row.ref.node}`;
    const edit = (row: Row) => {
        if (!file.canEdit || row.look === "broken") return;
        // A container has no short text.
        if (row.look === "container") return void file.toggle(row);
        editing.value = name(row);
    };
    const line = (index: number) => {
        const row = file.rows.at(index);
        if (row === undefined) return <div class="row waiting" role="presentation" />;
        return (
            <TreeRow
                row={row}
                file={file}
                isEditing={editing.value === name(row)}
                onEdit={() => edit(row)}
                onDone={() => {
                    editing.value = undefined;
                    // Unless something else has got the focus meanwhile.
                    const { activeElement } = document;
                    if (activeElement === null || activeElement === document.body || activeElement.closest(".edit-cell") !== null) document.getElementById("tree")?.focus();
                }}
            />
        );
    };
    // Keys work at once, unless something else has the focus.
    useEffect(() => {
        const { activeElement } = document;
        const isFree = activeElement === null || activeElement === document.body || activeElement.closest(".top") !== null;
        if (isFree && document.querySelector("dialog[open]") === null) document.getElementById("tree")?.focus();
    }, []);
    const keys = (event: KeyboardEvent) => {
        if (event.target !== event.currentTarget) return;
        if (treeKey(event, file, edit)) event.preventDefault();
    };
    return (
        <Virtual
            id="tree"
            class="tree"
            role="tree"
            tabIndex={0}
            aria-label={`Values of ${file.facts.value.name}`}
            aria-activedescendant={selected && `row-${selected.index}`}
            total={file.count.value}
            rowHeight={ROW_HEIGHT}
            row={line}
            onRange={range}
            show={file.show.value}
            onKeyDown={keys}
        />
    );
}

function TreeRow({ row, file, isEditing, onEdit, onDone }: { row: Row; file: OpenFile; isEditing: boolean; onEdit: () => void; onDone: () => void }) {
    const isSelected = file.isSelected(row.ref);
    const size = row.size > 0 ? short(row.size) : "";
    return (
        <div
            id={`row-${row.index}`}
            class={`row${isSelected ? " selected" : ""}${row.broken ? " broken" : ""}`}
            role="treeitem"
            aria-level={row.depth + 1}
            aria-posinset={row.place + 1}
            aria-setsize={row.siblings}
            aria-expanded={row.opens ? row.open : undefined}
            aria-selected={isSelected}
            onClick={() => void file.select(row.ref)}
            onDblClick={() => (row.opens ? void file.toggle(row) : onEdit())}
        >
            <span class="row-label" style={{ paddingLeft: `min(${8 + row.depth * 16}px, 60%)` }}>
                <button
                    class={`twist${row.open ? " open" : ""}`}
                    style={{ visibility: row.opens ? "visible" : "hidden" }}
                    tabIndex={-1}
                    aria-hidden="true"
                    onClick={(event) => {
                        event.stopPropagation();
                        void file.toggle(row);
                        document.getElementById("tree")?.focus();
                    }}
                />
                <span class={`label ${row.labelKind}`}>{row.label}</span>
            </span>
            {isEditing ? <EditCell file={file} row={row} onDone={onDone} /> : <span class={`value ${row.look}`}>{row.text}</span>}
            <span class="type" title={row.type}>
                {row.look === "broken" ? "broken" : row.broken ? "cut off" : row.type}
            </span>
            <span class="size" title={count(row.size, "byte") + (row.keySize > 0 ? `, ${row.keySize} of them for the key` : "")}>
                {size}
            </span>
        </div>
    );
}

/** Handles keys of the tree; returns true for one. */
function treeKey(event: KeyboardEvent, file: OpenFile, edit: (row: Row) => void): boolean {
    if (file.selected.value === undefined || event.ctrlKey || event.metaKey || event.altKey) return false;
    const isMove = MOVES.has(event.key);
    if (!isMove && ACTS[event.key] === undefined) return false;
    const page = Math.max(1, Math.floor(((event.currentTarget as HTMLElement).clientHeight || 600) / ROW_HEIGHT) - 1);
    const work = () => (isMove ? move(event.key, page, file) : act(event.key, file, edit));
    // After a refused change nothing follows.
    if (file.changing === undefined) work();
    else void file.changing.then((isMade) => isMade && work());
    return true;
}
const MOVES: ReadonlySet<string> = new Set(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"]);
/** Moves from row to row. Fast typing is ahead of the selection. */
function move(key: string, page: number, file: OpenFile): void {
    const last = file.count.value - 1;
    const from = file.aim ?? file.selected.value?.index ?? 0;
    const places: Record<string, number> = { ArrowDown: from + 1, ArrowUp: from - 1, PageDown: from + page, PageUp: from - page, Home: 0, End: last };
    go(file, places[key]!);
}
function go(file: OpenFile, index: number): void {
    const at = Math.max(0, Math.min(index, file.count.value - 1));
    const next = file.rows.at(at);
    if (next !== undefined) {
        file.aim = at;
        return void file.select(next.ref);
    }
    // Rows that have not arrived are shown first.
    file.see(at);
    void file.rows.want(at, at).then(() => {
        const came = file.rows.at(at);
        if (came !== undefined) void file.select(came.ref);
    });
}
type Act = (file: OpenFile, edit: (row: Row) => void) => void;
const rowOf = (file: OpenFile) => file.rows.at(file.selected.value!.index);
const ACTS: Record<string, Act> = {
    ArrowRight: (file) => {
        const row = rowOf(file);
        if (row?.opens && !row.open) void file.toggle(row, true);
        else if (row?.open) go(file, file.selected.value!.index + 1);
    },
    ArrowLeft: (file) => {
        const row = rowOf(file);
        if (row?.open) void file.toggle(row, false);
        else void file.up();
    },
    " ": (file) => {
        const row = rowOf(file);
        if (row !== undefined) void file.toggle(row);
    },
    Enter: (file, edit) => {
        const row = rowOf(file);
        if (row !== undefined) edit(row);
    },
    F2: (file) => {
        if (file.selected.value!.key !== undefined && file.canEdit) ask("rename");
    },
    Insert: (file) => {
        if (file.canEdit) ask("add");
    },
    Delete: (file) => {
        const { ref, inContainer } = file.selected.value!;
        if (file.canEdit && inContainer) void file.remove(ref);
    },
};
ACTS["a"] = ACTS["Insert"]!;
/** Acts on the selected value: the last requested one. */
function act(key: string, file: OpenFile, edit: (row: Row) => void): void {
    const work = () => {
        if (file.selected.value !== undefined) ACTS[key]!(file, edit);
    };
    const settled = file.settled();
    if (settled === undefined) work();
    else void settled.then(work);
}
