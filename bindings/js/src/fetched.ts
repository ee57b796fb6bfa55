/** Fetches and compiles a module for a page. */
export async function fetched(url: URL): Promise<WebAssembly.Module> {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`gdvar: ${url.href}: ${answer.status} ${answer.statusText}`);
    // Hosts that serve it as something other than application/wasm are common.
    return WebAssembly.compile(await answer.arrayBuffer());
}
