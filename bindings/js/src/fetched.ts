/** A module that a page fetches and compiles. */
export async function fetched(url: URL): Promise<WebAssembly.Module> {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`gdvar: ${url.href}: ${answer.status} ${answer.statusText}`);
    // Hosts that call it something other than application/wasm are common.
    return WebAssembly.compile(await answer.arrayBuffer());
}
