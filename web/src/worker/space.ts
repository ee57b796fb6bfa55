// Where the bytes go: the parts of a value by their sizes.
import type { Document } from "gdvar/saves";
import { hasKeys, label, lookOf, nameIn, typeOf } from "./preview";
import type { Ref, Space } from "./shown";
import type { Tree } from "./tree";

/** Parts that are shown by themselves, at each of the levels. */
const MOST = [60, 16];

/** Several values. */
const TOGETHER: Space = { label: "", type: "", look: "rest", opens: false, size: 0, ref: undefined, children: [] };
const looks = (document: Document, node: number) => ({
    type: typeOf(document, node),
    look: lookOf(document, node),
    opens: document.isContainer(node) && document.length(node) > 0,
});

/** The whole file, or one value of it. */
export function space(tree: Tree, ref: Ref | undefined): Space {
    const { values } = tree.documents;
    if (ref === undefined && values.listed) {
        const children: Space[] = [];
        let size = 0;
        for (let value = 0; value < values.count; ++value) {
            const document = tree.documents.get(value);
            size += document.size;
            const inside = values.count <= MOST[0]! ? parts(document, value, 0, 1) : [];
            children.push({ label: nameIn(values, value), ...looks(document, 0), size: document.size, ref: { value, node: 0 }, children: inside });
            tree.documents.trim(tree.inUse());
        }
        return { ...TOGETHER, size, children: largest(children, MOST[0]!, (part) => part) };
    }
    const { value, node } = ref ?? { value: 0, node: 0 };
    const document = tree.documents.get(value);
    const [begin, end] = document.range(node);
    return { label: "", ...looks(document, node), size: end - begin, ref: { value, node }, children: parts(document, value, node, 0) };
}

function parts(document: Document, value: number, node: number, level: number): Space[] {
    const most = MOST[level];
    if (most === undefined || !document.isContainer(node)) return [];
    const step = hasKeys(document, node) ? 2 : 1;
    const children = document.children(node);
    const sizes = Array.from({ length: children.length / step }, (_, i) => {
        const place = i * step;
        return { place, size: document.range(children[place + step - 1]!)[1] - document.range(children[place]!)[0] };
    });
    return largest(sizes, most, ({ place, size }) => {
        const child = children[place + step - 1]!;
        const name = step === 2 ? label(document, children[place]!).text : String(place);
        return { label: name, ...looks(document, child), size, ref: { value, node: child }, children: parts(document, value, child, level + 1) };
    });
}
function largest<Part extends { size: number }>(all: Part[], most: number, make: (part: Part) => Space): Space[] {
    all.sort((a, b) => b.size - a.size);
    const shown = all.slice(0, most).map(make);
    const rest = all.slice(most);
    if (rest.length === 0) return shown;
    const size = rest.reduce((sum, part) => sum + part.size, 0);
    return [...shown, { ...TOGETHER, label: `${rest.length.toLocaleString("en")} smaller`, size }];
}
