// The values of a file as rows that open and close.
import { useCallback, useEffect } from "preact/hooks";
import type { Row } from "../worker/shown";
import { EditCell } from "./edit_cell";
import { ask } from "./dialog";
import type { OpenFile } from "./files";
import { count, short } from "./format";
import { Virtual } from "./virtual";

export const ROW_HEIGHT = 24;

export function TreeView({ file }: { file: OpenFile }) {
    // Read here, so that the rows are drawn anew when they come.
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
                    document.getElementById("tree")?.focus();
                }}
            />
        );
    };
    // Keys work at once, unless something else has the focus.
    useEffect(() => {
        if (document.activeElement === document.body) document.getElementById("tree")?.focus();
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
                    }}
                />
                <span class={`label ${row.labelKind}`}>{row.label}</span>
            </span>
            {isEditing ? <EditCell file={file} row={row} onDone={onDone} /> : <span class={`value ${row.look}`}>{row.text}</span>}
            <span class="type" title={row.type}>
                {row.broken ? "broken" : row.type}
            </span>
            <span class="size" title={count(row.size, "byte") + (row.keySize > 0 ? `, ${row.keySize} of them for the key` : "")}>
                {size}
            </span>
        </div>
    );
}

/** Keys of the tree; whether it was one. */
function treeKey(event: KeyboardEvent, file: OpenFile, edit: (row: Row) => void): boolean {
    const { value: selected } = file.selected;
    if (selected === undefined || event.ctrlKey || event.metaKey || event.altKey) return false;
    const row = file.rows.at(selected.index);
    const page = Math.max(1, Math.floor(((event.currentTarget as HTMLElement).clientHeight || 600) / ROW_HEIGHT) - 1);
    const go = (index: number) => {
        const next = file.rows.at(Math.max(0, Math.min(index, file.count.value - 1)));
        if (next !== undefined) return void file.select(next.ref);
        // Rows that have not come yet are shown first.
        const at = Math.max(0, Math.min(index, file.count.value - 1));
        file.see(at);
        void file.rows.want(at, at).then(() => {
            const came = file.rows.at(at);
            if (came !== undefined) void file.select(came.ref);
        });
    };
    switch (event.key) {
        case "ArrowDown":
            go(selected.index + 1);
            return true;
        case "ArrowUp":
            go(selected.index - 1);
            return true;
        case "PageDown":
            go(selected.index + page);
            return true;
        case "PageUp":
            go(selected.index - page);
            return true;
        case "Home":
            go(0);
            return true;
        case "End":
            go(file.count.value - 1);
            return true;
        case "ArrowRight":
            if (row?.opens && !row.open) void file.toggle(row, true);
            else if (row?.open) go(selected.index + 1);
            return true;
        case "ArrowLeft":
            if (row?.open) void file.toggle(row, false);
            else void file.up();
            return true;
        case " ":
            if (row !== undefined) void file.toggle(row);
            return true;
        case "Enter":
            if (row !== undefined) edit(row);
            return true;
        case "F2":
            if (selected.key !== undefined && file.canEdit) ask("rename");
            return true;
        case "Insert":
        case "a":
            if (file.canEdit) ask("add");
            return true;
        case "Delete":
            if (file.canEdit && selected.inContainer) void file.remove(selected.ref);
            return true;
        default:
            return false;
    }
}
