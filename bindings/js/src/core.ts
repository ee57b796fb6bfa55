// The core module, shared by all its users.
import { OptionsTable, type PacketOptions } from "./options.js";
import { compiled } from "#compiled";
import { Keeper } from "./wasm.js";

export const core = new Keeper(compiled);
const table = new OptionsTable(core);

/** The address of a gdvar_options; 0: the defaults. */
export function optionsOf(options: PacketOptions | undefined): number {
    return table.at(options);
}
