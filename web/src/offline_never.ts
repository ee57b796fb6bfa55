/** The page in one file is kept by whoever has the file. */
export function keepOffline(): void {}
