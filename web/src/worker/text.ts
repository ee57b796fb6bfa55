// Values as text, to be seen and edited: no digit may be lost in it.
import { encode, GdvarError, type DialectName, type Variant } from "gdvar";
import { fromTextFull, strToVar, type Document } from "gdvar/saves";

/** The reading of a text by the dialect's engine, or by gdvar in its own form. Numbers that would become others are refused. */
export function readValue(text: string, dialect: DialectName): Variant {
    const options = { dialect, objects: true, strict: true };
    try {
        return strToVar(text, options);
    } catch (error) {
        try {
            return fromTextFull(text, options);
        } catch {
            throw error;
        }
    }
}

/** As the engine prints the value. Godot 3 prints six digits of a float: then with all, in gdvar's own form. */
export function printed(document: Document, node: number): string {
    const text = document.print(node);
    if (!MAY_LOSE.has(document.type(node))) return text;
    const own = document.print(node, "full");
    return own !== text && !isSame(document, node, text) && isSame(document, node, own) ? own : text;
}
/** The first text of an editor: a text in one line, anything else as it is printed. */
export function edited(document: Document, node: number): string {
    const type = document.type(node);
    if (type !== "String" && type !== "StringName") return printed(document, node);
    return `${type === "StringName" ? "&" : ""}${quoted(document.text(node))}`;
}
/** With escapes that every engine reads. */
const quoted = (text: string) => `"${text.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}"`;
/** Types whose values an engine may print without all digits, or in a form that it does not read. */
const MAY_LOSE: ReadonlySet<string> = new Set([
    "float", "Vector2", "Rect2", "Vector3", "Transform2D", "Vector4", "Plane", "Quaternion", "AABB", "Basis", "Transform3D",
    "Projection", "Color", "RID", "Callable", "Signal", "PackedFloat32Array", "PackedFloat64Array", "PackedVector2Array",
    "PackedVector3Array", "PackedColorArray", "PackedVector4Array", "PackedTypedArray", "Image", "InputEvent",
]);

/** Whether the value is read again from the text. */
function isSame(document: Document, node: number, text: string): boolean {
    const { dialect } = document;
    try {
        const packet = encode(readValue(text, dialect), { dialect, objects: true });
        const wanted = document.packet(node);
        return packet.length === wanted.length && packet.every((byte, i) => byte === wanted[i]);
    } catch (error) {
        if (error instanceof GdvarError) return false;
        throw error;
    }
}
