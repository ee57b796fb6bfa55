declare module "#worker" {
    export function startWorker(): Worker;
}
declare module "#offline" {
    export function keepOffline(): void;
}
declare module "*.save?inline" {
    const address: string;
    export default address;
}
declare module "*.wasm?url&inline" {
    const address: string;
    export default address;
}
