// Saves of some 200 MB, the same each time: one packet with millions of values, and as many records.
import { encode, Vector3 } from "gdvar";

const PLAYERS = 1000;
const player = (i) => ({ name: `player_${String(i).padStart(7, "0")}`, hp: i % 100, pos: new Vector3(i % 512, 0.5, i % 77), items: [i % 7, "sword", i % 2 === 0], tiles: Int32Array.from({ length: 8 }, (_, j) => (i * 31 + j) % 1000) });

/** `dialect`'s packets of 1000 players each, `size` bytes in all. */
function* pieces(size) {
    for (let at = 0, first = 0; at < size; first += PLAYERS) {
        const packet = encode(Array.from({ length: PLAYERS }, (_, i) => player(first + i)));
        at += packet.length;
        yield packet;
    }
}
/** An Array of Dictionaries as one packet: the pieces' elements behind one header. */
export function onePacket(size) {
    const all = [...pieces(size)];
    const head = all[0].slice(0, 8);
    new DataView(head.buffer).setUint32(4, all.length * PLAYERS, true);
    return { name: "packet.bin", bytes: Buffer.concat([head, ...all.map((packet) => packet.subarray(8))]), players: all.length * PLAYERS };
}
/** Each piece as a record. */
export function manyRecords(size) {
    const all = [...pieces(size)];
    const parts = all.flatMap((packet) => {
        const length = Buffer.alloc(4);
        length.writeUInt32LE(packet.length);
        return [length, packet];
    });
    return { name: "records.save", bytes: Buffer.concat(parts), players: all.length * PLAYERS };
}
/** A player a record: hundreds of thousands of them. */
export function smallRecords(size) {
    const parts = [];
    let at = 0;
    let players = 0;
    for (; at < size; ++players) {
        const packet = encode(player(players));
        const length = Buffer.alloc(4);
        length.writeUInt32LE(packet.length);
        parts.push(length, packet);
        at += 4 + packet.length;
    }
    return { name: "small_records.save", bytes: Buffer.concat(parts), players };
}
