// A text document as lines, with the selected value's own text marked.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { lastUpTo } from "../sorted";
import type { OpenFile } from "./files";
import { Virtual } from "./virtual";

/** Bytes of a text that is shown as lines. */
export const MOST_SOURCE = 4 << 20;
const ROW_HEIGHT = 20;

interface Source {
    bytes: Uint8Array;
    /** Where lines begin. */
    lines: number[];
}
const decoder = new TextDecoder();
const encoder = new TextEncoder();

export function SourceView({ file }: { file: OpenFile }) {
    const source = useSignal<Source | undefined>(undefined);
    const { value: version } = file.version;
    const { value: selected } = file.selected;
    useEffect(() => {
        let isOver = false;
        void file
            .ask((it) => it.content(file.id, 0, MOST_SOURCE))
            .then((bytes) => {
                if (isOver) return;
                const lines = [0];
                for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines.push(at + 1);
                source.value = { bytes, lines };
            });
        return () => {
            isOver = true;
        };
    }, [file, version]);
    const { value } = source;
    const [begin, end] = selected === undefined ? [0, 0] : [selected.begin, selected.end];
    const show = useMemo(() => (value !== undefined && end > begin ? { index: Math.max(0, lastUpTo(value.lines, begin)) } : undefined), [value, begin, end, selected]);
    if (value === undefined) return <div class="source" />;

    const row = (index: number) => {
        const first = value.lines[index]!;
        const last = value.lines[index + 1] ?? value.bytes.length;
        const part = (from: number, to: number) => decoder.decode(value.bytes.subarray(from, Math.max(from, to))).replace(/\r?\n$/, "");
        const [from, to] = [Math.min(Math.max(begin, first), last), Math.max(Math.min(end, last), first)];
        return (
            <div class="source-row">
                <span class="address">{index + 1}</span>
                <code data-line={index}>
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
    const click = async (event: MouseEvent) => {
        const line = (event.target as HTMLElement).closest<HTMLElement>("[data-line]");
        if (line === null) return;
        const before = textBefore(line, event);
        const offset = value.lines[Number(line.dataset["line"])]! + encoder.encode(before).length;
        const ref = await file.ask((it) => it.at(file.id, offset));
        if (ref !== undefined) await file.select(ref);
    };
    return (
        <div class={`source${selected?.look === "container" ? " soft" : ""}`} onClick={(event) => void click(event)}>
            <Virtual
                role="group"
                tabIndex={0}
                aria-label="The text of the file. A click selects the value."
                total={value.lines.length}
                rowHeight={ROW_HEIGHT}
                row={row}
                show={show}
                centre
            />
        </div>
    );
}
/** The text of a line up to where it was clicked. */
function textBefore(line: HTMLElement, event: MouseEvent): string {
    const point = document.caretRangeFromPoint?.(event.clientX, event.clientY);
    if (!point || !line.contains(point.startContainer)) return "";
    const range = document.createRange();
    range.setStart(line, 0);
    range.setEnd(point.startContainer, point.startOffset);
    return range.toString();
}
