import { decode, encode, GdvarError, Vector3 } from "gdvar";
import { SaveFile, wrap } from "gdvar/saves";

// A value as Godot 4's var_to_bytes writes it, and back.
const packet = encode({ name: "Ada", hp: 100, pos: new Vector3(1, 2, 3) });
console.log(decode(packet));

// Errors say what, where in the bytes, and where in the value.
try {
    decode(packet.subarray(0, -2));
} catch (error) {
    if (!(error instanceof GdvarError)) throw error;
    console.log(error.code, error.path, error.offset, error.need);
}

// A save in any container: one value changes, every other byte stays.
const save = new SaveFile(wrap(packet, ["gdec-4"], { password: "secret" }), { password: "secret" });
save.set("$.hp", 9999);
console.log(save.stack, save.get("$.hp"), save.bytes().length);
