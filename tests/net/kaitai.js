// Compiles a .ksy and reads records (u32 length, packet) by it: node kaitai.js MODULES KSY RECORDS
// Writes a JSON list, one a packet, of the values in order of the bytes: [type, what it holds...].
const fs = require("fs"), path = require("path"), vm = require("vm");
const [modules, ksy, records] = process.argv.slice(2);
const load = (name) => require(path.join(modules, "node_modules", name));
const compiler = load("kaitai-struct-compiler"), KaitaiStream = load("kaitai-struct").KaitaiStream;

// The runtime's own 64-bit integers are doubles, and some of them wrong.
function exact(read) {
    return function () {
        this.pos += 8;
        return this._dataView[read](this.pos - 8, true);
    };
}
KaitaiStream.prototype.readS8le = exact("getBigInt64");
KaitaiStream.prototype.readU8le = exact("getBigUint64");

const text = (record) => record.value;
// As text, where JSON's numbers would lose something.
function number(value) {
    if (Object.is(value, -0)) return "-0";
    return Number.isFinite(value) ? value : String(value);
}
const path_of = (p) =>
    (p.flags & 1 ? "/" : "") + p.names.map(text).join("/") + p.subnames.map((name) => ":" + text(name)).join("");

// The fields of a payload, its values apart.
function content(p) {
    if (p.properties) return [text(p.className), p.properties.length];
    if (p.byId) return [number(p.objectId)];
    if (p.pairs) return [p.pairs.length];
    if (p.rawCount !== undefined) return [p.elements.length];
    if (p.components) return [p.components.map(number)];
    if (p.elements instanceof Uint8Array) return [Array.from(p.elements)];
    if (p.elements) return [p.elements.map(text)];
    if (p.names) return [path_of(p)];
    if (p.value === undefined) return [];
    return [typeof p.value === "number" || typeof p.value === "bigint" ? number(p.value) : p.value];
}

function values(Root, variant, out) {
    const name = Root.Type[variant.typeId], p = variant.payload || {};
    const again = (each) => values(Root, each, out);
    if (p.className && p.className.lenText === 0 && !p.elements) {
        out.push(["NIL"]);
        return out;
    }
    out.push([name, ...content(p)]);
    for (const each of p.properties || []) {
        out.push(["property", text(each.name)]);
        again(each.value);
    }
    for (const pair of p.pairs || []) {
        again(pair.key);
        again(pair.value);
    }
    if (p.rawCount !== undefined && !p.pairs) p.elements.forEach(again);
    return out;
}

async function main() {
    const files = await compiler.compile("javascript", load("js-yaml").load(fs.readFileSync(ksy, "utf8")), null, false);
    const name = Object.keys(files)[0];
    const module = { exports: {} };
    vm.runInThisContext(`(function (exports, require, module) {${files[name]}\n})`)(module.exports, load, module);
    const Root = module.exports[name.replace(".js", "")] || module.exports;
    const bytes = fs.readFileSync(records), out = [];
    for (let at = 0; at < bytes.length; ) {
        const n = bytes.readUInt32LE(at);
        const packet = bytes.subarray(at + 4, at + 4 + n);
        const own = packet.buffer.slice(packet.byteOffset, packet.byteOffset + n);
        try {
            out.push(values(Root, new Root(new KaitaiStream(own)).value, []));
        } catch (error) {
            out.push({ refused: String(error.message || error) });
        }
        at += 4 + n;
    }
    process.stdout.write(JSON.stringify(out));
}
main().catch((error) => { console.error(error); process.exit(1); });
