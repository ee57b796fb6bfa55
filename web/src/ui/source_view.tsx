// A text document as lines, with the selected value's text marked.
import { useMemo } from "preact/hooks";
import { printableLines } from "../printable";
import { lastUpTo } from "../sorted";
import type { OpenFile } from "./files";
import { useSize } from "./size";
import { useAnswer } from "./use_answer";
import { Virtual } from "./virtual";

/** The most bytes of a text shown as lines. */
export const MOST_SOURCE = 4 << 20;
const ROW_HEIGHT = 20;

/** Pixels of a character of IBM Plex Mono at 12 pixels; and of the margin. */
const CHARACTER = 7.2;
const BESIDE = 48;
const LEAST_COLUMNS = 40;

/** Lines cut to the view's width: a save is often one line of megabytes. */
interface Rows {
    starts: number[];
    /** Numbers of the lines that begin there; 0: the row continues the previous row's line. */
    lines: number[];
}
function fold(bytes: Uint8Array, columns: number): Rows {
    const rows: Rows = { starts: [0], lines: [1] };
    let line = 1;
    let used = 0;
    for (let at = 0; at < bytes.length; ++at) {
        const byte = bytes[at]!;
        if (byte === 10) {
            rows.starts.push(at + 1);
            rows.lines.push(++line);
            used = 0;
            continue;
        }
        // Continuation bytes of UTF-8 take no column. A long run of them is not a character, and is folded.
        if ((byte & 0xc0) === 0x80 && at - rows.starts[rows.starts.length - 1]! < 4 * columns) continue;
        const cells = byte === 9 ? 8 : byte >= 0xe3 ? 2 : 1;
        if (used + cells > columns) {
            rows.starts.push(at);
            rows.lines.push(0);
            used = 0;
        }
        used += cells;
    }
    return rows;
}
// Keeps a byte order mark: places are counted in bytes.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

export function SourceView({ file }: { file: OpenFile }) {
    const [box, { width }] = useSize();
    const { value: version } = file.version;
    const { value: selected } = file.selected;
    const { value: bytes } = useAnswer(() => file.ask((it) => it.content(file.id, 0, MOST_SOURCE)), [file, version], true);
    const columns = Math.max(LEAST_COLUMNS, Math.floor((width - BESIDE) / CHARACTER) - 4);
    const rows = useMemo(() => (bytes === undefined || width === 0 ? undefined : fold(bytes, columns)), [bytes, columns, width === 0]);
    const [begin, end] = selected === undefined ? [0, 0] : [selected.begin, selected.end];
    const show = useMemo(() => (rows !== undefined && end > begin ? { index: Math.max(0, lastUpTo(rows.starts, begin)) } : undefined), [rows, begin, end, selected]);
    if (bytes === undefined || rows === undefined) return <div class="source" ref={box} />;

    const row = (index: number) => {
        const first = rows.starts[index]!;
        const last = rows.starts[index + 1] ?? bytes.length;
        const part = (from: number, to: number) => printableLines(decoder.decode(bytes.subarray(from, Math.max(from, to))).replace(/\r?\n$/, ""));
        const [from, to] = [Math.min(Math.max(begin, first), last), Math.max(Math.min(end, last), first)];
        return (
            <div class="source-row">
                <span class="address">{rows.lines[index] || ""}</span>
                <code data-row={index}>
                    {to > from ? (
                        <>
                            {part(first, from)}
                            <mark>{part(from, to)}</mark>
                            {part(to, last)}
                        </>
                    ) : (
                        part(first, last)
                    )}
                </code>
            </div>
        );
    };
    const click = (event: MouseEvent) => {
        const clicked = (event.target as HTMLElement).closest<HTMLElement>("[data-row]");
        if (clicked === null) return;
        const index = Number(clicked.dataset["row"]);
        const first = rows.starts[index]!;
        void file.selectAt(first + bytesShownAs(bytes.subarray(first, rows.starts[index + 1]), textBefore(clicked, event).length));
    };
    return (
        <div class={`source${selected?.look === "container" ? " soft" : ""}`} ref={box} onClick={click}>
            <Virtual
                role="group"
                tabIndex={0}
                aria-label="The text of the file. A click selects the value."
                total={rows.starts.length}
                rowHeight={ROW_HEIGHT}
                row={row}
                show={show}
                centre
            />
        </div>
    );
}
/** The number of a row's bytes behind its first `shown` characters on the page. */
function bytesShownAs(row: Uint8Array, shown: number): number {
    let size = 0;
    let left = shown;
    for (const character of decoder.decode(row)) {
        left -= printableLines(character).length;
        if (left < 0) break;
        size += encoder.encode(character).length;
    }
    return size;
}
/** The text of a row up to the click. */
function textBefore(row: HTMLElement, event: MouseEvent): string {
    const [node, offset] = caretAt(event.clientX, event.clientY);
    if (node === undefined || !row.contains(node)) return "";
    const range = document.createRange();
    range.setStart(row, 0);
    range.setEnd(node, offset);
    return range.toString();
}
/** The caret position of a click. Safari has only the second function until 26.2, Firefox only the first. */
function caretAt(x: number, y: number): [Node | undefined, number] {
    const position = document.caretPositionFromPoint?.(x, y);
    if (position) return [position.offsetNode, position.offset];
    const range = document.caretRangeFromPoint?.(x, y);
    return range ? [range.startContainer, range.startOffset] : [undefined, 0];
}
