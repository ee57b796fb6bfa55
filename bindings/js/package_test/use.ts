// A program of a user, compiled with `strict` and run in Node, Deno and Bun, against the package as it is installed.
import { decode, Dictionary, encode, GdvarError, records, StreamFramer, frame, Vector3, type Plain } from "gdvar";
import { connect, createServer } from "gdvar/node";
import { recover, SaveFile, varToStr, wrap, type Finding } from "gdvar/saves";
import { annotate, Document, unwrap, type Row } from "gdvar/tools";

function check(isRight: boolean, what: string): void {
    if (!isRight) throw new Error(what);
}

const packet: Uint8Array<ArrayBuffer> = encode({ name: "Ada", hp: 100, pos: new Vector3(1, 2, 3) });
const player = decode(packet);
check(player instanceof Dictionary && player.get("hp") === 100, "decode");
check(encode(player).every((byte, i) => byte === packet[i]), "encode");
try {
    decode(packet.subarray(0, -2));
    check(false, "a cut packet was read");
} catch (error) {
    check(error instanceof GdvarError && error.code === "truncated" && error.path === "$.pos", "errors");
}

const rows: Row[] = annotate(packet).rows;
check(rows.length > 5, "annotate");
const document = new Document(packet);
check(document.get("$.name") === "Ada", "Document");
document.close();

const save = new SaveFile(wrap(packet, ["gdec-4", "gcpf-zstd"], { password: "secret" }), { password: "secret" });
save.set("$.hp", 9999);
const findings: Finding[] = save.findings();
check(findings.length === 3 && save.stack === "gdec-4 > gcpf-zstd > godot-4.4 packet", save.stack);
check(unwrap(save.bytes(), { password: "secret" }).layers.join() === "gdec-4,gcpf-zstd", "unwrap");
check(varToStr([1]) === "[1]", "varToStr");
check(recover(packet).sound, "recover");

const framed = frame(packet);
check([...new StreamFramer().feed(framed)].length === 1, "StreamFramer");
let count = 0;
for await (const { offset } of records(new Blob([framed, framed]))) count += offset;
check(count === 4 + framed.length + 4, "records");

const server = createServer(async (connection) => {
    for await (const value of connection) await connection.send(value);
});
const client = await connect<Plain>({ port: await server.listen(0), plain: true });
await client.send({ hello: 1 });
check(JSON.stringify(await client.get()) === '{"hello":1}', "a server and a client");
await client.close();
await server.close();
console.log("all is well");
