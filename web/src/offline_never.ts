/** The single-file page needs no cache: the user has the file. */
export function keepOffline(): void {}
