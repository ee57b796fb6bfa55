/**
 * A module that is in the page as a data: address. It is compiled at once: a script that waits would have to be a module, and pages from
 * files may not start those as workers.
 */
export function inlined(address: string): WebAssembly.Module {
    return new WebAssembly.Module(Uint8Array.from(atob(address.slice(address.indexOf(",") + 1)), (unit) => unit.charCodeAt(0)));
}
