// The innermost layer's content: as bytes, and for texts as lines. A click selects the value; the selected value's bytes are
// marked.
import { useSignal } from "@preact/signals";
import { useCallback, useMemo } from "preact/hooks";
import type { OpenFile } from "./files";
import { bytes as sizeText, count, hex } from "./format";
import { Switch } from "./parts";
import { Pieces } from "./pieces";
import { useSize } from "./size";
import { SourceView, MOST_SOURCE } from "./source_view";
import { useAnswer } from "./use_answer";
import { Virtual } from "./virtual";

const PIECE = 8192;
const ROW_HEIGHT = 20;
const FORMS = [{ name: "Text", value: true }, { name: "Bytes", value: false }];
/** The most fields listed for a value. */
const MOST_FIELDS = 4096;

export function BytesView({ file }: { file: OpenFile }) {
    const { value: facts } = file.facts;
    const canBeSource = facts.isText && facts.content <= MOST_SOURCE;
    const asSource = useSignal(true);
    const { value: selected } = file.selected;
    const marked = selected !== undefined && selected.end > selected.begin;
    return (
        <section class="panel bytes-panel" aria-label="Bytes">
            <header class="panel-head">
                <span class="muted">
                    {facts.stack.includes(">") ? "Inside the layers: " : ""}
                    {sizeText(facts.content)}
                    {marked && (
                        <>
                            {" · selected "}
                            <code>
                                0x{hex(selected.begin, 1)}–0x{hex(selected.end - 1, 1)}
                            </code>{" "}
                            ({count(selected.end - selected.begin, "byte")})
                        </>
                    )}
                </span>
                {canBeSource && <Switch label="Show as" choices={FORMS} value={asSource} />}
            </header>
            {canBeSource && asSource.value ? <SourceView file={file} /> : <HexView file={file} />}
            {!facts.isText && <Fields file={file} />}
        </section>
    );
}

function HexView({ file }: { file: OpenFile }) {
    const { value: facts } = file.facts;
    const { value: selected } = file.selected;
    const { value: version } = file.version;
    const pieces = useMemo(() => new Pieces<number>(PIECE, (first, count) => file.ask((it) => it.content(file.id, first, first + count))), [file, version]);
    pieces.came.value;
    const [box, { width }] = useSize();
    const perRow = width > 0 && width < 560 ? 8 : 16;
    const [begin, end] = selected === undefined ? [0, 0] : [selected.begin, selected.end];
    const digits = Math.max(4, facts.content.toString(16).length);
    const show = useMemo(() => (end > begin ? { index: Math.floor(begin / perRow) } : undefined), [begin, end, perRow, selected]);
    const range = useCallback((first: number, last: number) => void pieces.want(first * perRow, (last + 1) * perRow - 1), [pieces, perRow]);

    const lost = facts.damage?.lost.filter(({ inside }) => inside) ?? [];
    const isLost = (offset: number) => lost.some((range) => offset >= range.begin && offset < range.end);

    const row = (index: number) => {
        const first = index * perRow;
        const [cells, chars] = [[], []] as [preact.JSX.Element[], preact.JSX.Element[]];
        for (let offset = first; offset < first + perRow; ++offset) {
            const byte = offset < facts.content ? pieces.at(offset) : undefined;
            const mark = offset >= begin && offset < end ? " in" : isLost(offset) ? " lost" : "";
            const zero = byte === 0 ? " zero" : "";
            const half = offset - first === 8 ? " half" : "";
            cells.push(
                <b key={offset} data-at={offset} class={`byte${mark}${zero}${half}`}>
                    {byte === undefined ? "  " : hex(byte, 2)}
                </b>,
            );
            const isShown = byte !== undefined && byte >= 32 && byte < 127;
            chars.push(
                <b key={offset} data-at={offset} class={`char${mark}${isShown ? "" : " zero"}`}>
                    {byte === undefined ? " " : isShown ? String.fromCharCode(byte) : "·"}
                </b>,
            );
        }
        return (
            <div class="hex-row">
                <span class="address">{hex(first, digits)}</span>
                <span class="cells">{cells}</span>
                <span class="chars">{chars}</span>
            </div>
        );
    };
    const click = (event: MouseEvent) => {
        const { at: offset } = (event.target as HTMLElement).dataset;
        if (offset !== undefined) void file.selectAt(Number(offset));
    };
    return (
        <div class={`hex${selected?.look === "container" ? " soft" : ""}`} ref={box} onClick={click}>
            <Virtual
                role="group"
                tabIndex={0}
                aria-label="Bytes in hexadecimal digits. A click on a byte selects its value."
                total={Math.ceil(facts.content / perRow)}
                rowHeight={ROW_HEIGHT}
                row={row}
                onRange={range}
                show={show}
                centre
            />
        </div>
    );
}

/** The meaning of each byte of the selected value. */
function Fields({ file }: { file: OpenFile }) {
    const { value: selected } = file.selected;
    const size = selected === undefined ? 0 : selected.end - selected.begin;
    const isShown = size > 0 && size <= MOST_FIELDS;
    const fields = useAnswer(() => (isShown ? file.ask((it) => it.fields(file.id, selected!.ref, selected!.begin, 400)) : undefined), [selected, isShown]);
    if (selected === undefined) return null;
    return (
        <details class="fields" open={innerHeight > 600 && innerWidth > 760}>
            <summary>Fields of the selected value</summary>
            {!isShown ? (
                <p class="muted">{size === 0 ? "No bytes of this file." : "Select a smaller value to see its fields."}</p>
            ) : (
                <div tabIndex={0} role="region" aria-label="Fields">
                    <table>
                        <thead>
                            <tr>
                                <th scope="col">Offset</th>
                                <th scope="col">Bytes</th>
                                <th scope="col">Field</th>
                                <th scope="col">Value</th>
                            </tr>
                        </thead>
                        <tbody>
                            {fields.value?.map((field, i) => (
                                <tr key={i}>
                                    <td>
                                        <code>{hex(field.offset, 4)}</code>
                                    </td>
                                    <td class="number">{field.size}</td>
                                    <td>{field.type}</td>
                                    <td>
                                        <code>{field.value}</code> {field.note !== "" && <span class="muted">{field.note}</span>}
                                    </td>
                                </tr>
                            ))}
                        </tbody>
                    </table>
                </div>
            )}
        </details>
    );
}
