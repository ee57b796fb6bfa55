// The compiled full module, fetched from beside this file. Bundlers know this form of an address.
const url = new URL("./gdvar-full.wasm", import.meta.url);

async function compile(): Promise<WebAssembly.Module> {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`gdvar: ${url.href}: ${answer.status} ${answer.statusText}`);
    // Hosts that call it something other than application/wasm are common.
    return WebAssembly.compile(await answer.arrayBuffer());
}

export const compiled = await compile();
