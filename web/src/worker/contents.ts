// The content of a file's innermost layer, byte by byte, and the value that each byte belongs to.
import { lastAtMost, lastUpTo } from "../sorted";
import type { Recovery, SaveFile } from "gdvar/saves";
import type { Ref } from "./shown";
import type { Tree } from "./tree";

export abstract class Contents {
    abstract readonly size: number;
    abstract bytes(begin: number, end: number): Uint8Array;
    /** Where a value stands whose place in its packet is known. */
    abstract range(ref: Ref, begin: number, end: number): [begin: number, end: number] | undefined;
    abstract at(offset: number, tree: Tree): Ref | undefined;

    static ofSave(save: SaveFile): Contents {
        if (save.kind.text) return new TextContents(save);
        return save.count > 0 && save.place(0) === undefined ? new SavedContents(save) : new PacketContents(save);
    }
    static ofRecovery(recovery: Recovery): Contents {
        return new RecoveredContents(recovery);
    }
}

/** Packets that stand in the content as they are. */
abstract class Packets extends Contents {
    protected abstract readonly count: number;
    protected abstract place(value: number): [begin: number, end: number];

    range(ref: Ref, begin: number, end: number): [number, number] | undefined {
        const [first] = this.place(ref.value);
        return [first + begin, first + end];
    }
    at(offset: number, tree: Tree): Ref | undefined {
        if (this.count === 0) return undefined;
        // The length before a packet is its record's.
        const low = Math.max(0, lastAtMost(this.count, (value) => this.place(value)[0] - 4, offset));
        const chain = tree.documents.get(low).at(offset - this.place(low)[0]);
        return { value: low, node: valueOf(tree, low, chain) };
    }
}
/** The innermost node; of a key, the value of its pair. */
function valueOf(tree: Tree, value: number, chain: readonly number[]): number {
    if (chain.length < 2) return 0;
    const node = chain[chain.length - 1]!;
    const document = tree.documents.get(value);
    if (document.isProperty(node)) return document.next(node);
    const parent = chain[chain.length - 2]!;
    if (document.type(parent) !== "Dictionary") return node;
    const children = document.children(parent);
    return children[lastUpTo(children, node) | 1]!;
}

/** Values that were made of a file of another form: where they stand in it is not known. */
class SavedContents extends Contents {
    readonly size: number;
    constructor(protected readonly save: SaveFile) {
        super();
        this.size = save.contentSize;
    }
    bytes(begin: number, end: number): Uint8Array {
        return this.save.content(begin, end);
    }
    range(_ref: Ref, _begin: number): [number, number] | undefined {
        return undefined;
    }
    at(_offset: number, _tree: Tree): Ref | undefined {
        return undefined;
    }
}

class PacketContents extends Packets {
    readonly size: number;
    protected readonly count: number;
    constructor(private readonly save: SaveFile) {
        super();
        this.count = save.count;
        this.size = save.contentSize;
    }
    bytes(begin: number, end: number): Uint8Array {
        return this.save.content(begin, end);
    }
    protected place(value: number): [number, number] {
        const { begin, end } = this.save.place(value)!;
        return [begin, end];
    }
}

/** A text, whose values were made of it. */
class TextContents extends SavedContents {
    override range(ref: Ref, begin: number): [number, number] | undefined {
        const place = this.save.place(ref.value, begin);
        return place && [place.begin, place.end];
    }
    override at(offset: number, tree: Tree): Ref | undefined {
        const { index, offset: inside } = this.save.valueAt(offset);
        return { value: index, node: valueOf(tree, index, tree.documents.get(index).at(inside)) };
    }
}

/** The readable part of a damaged file stands in packets of its own: only the beginnings are known in the file. */
class RecoveredContents extends Packets {
    readonly size: number;
    protected readonly count: number;
    constructor(private readonly recovery: Recovery) {
        super();
        // Values of a text were made of it.
        this.count = recovery.kind.text ? 0 : recovery.items.length;
        this.size = recovery.contentSize;
    }
    bytes(begin: number, end: number): Uint8Array {
        return this.recovery.content(begin, end);
    }
    override range(ref: Ref, begin: number, end: number): [number, number] | undefined {
        return this.count === 0 ? undefined : super.range(ref, begin, end);
    }
    protected place(value: number): [number, number] {
        const { offset, packet } = this.recovery.items[value]!;
        return [offset, offset + packet.length];
    }
}
