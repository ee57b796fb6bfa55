import { signal } from "@preact/signals";

/** Rows or bytes of the worker, requested in pieces: those that have arrived, and the old ones until then. */
export class Pieces<T> {
    readonly came = signal(0);
    private pieces = new Map<number, ArrayLike<T>>();
    private before = new Map<number, ArrayLike<T>>();
    private wanted: [number, number] | undefined = undefined;
    private busy = false;
    private version = 0;
    constructor(private readonly size: number, private readonly fetch: (first: number, count: number) => Promise<ArrayLike<T>>) {}
    at(index: number): T | undefined {
        const piece = Math.floor(index / this.size);
        return (this.pieces.get(piece) ?? this.before.get(piece))?.[index % this.size];
    }
    renew(): void {
        ++this.version;
        if (this.pieces.size > 0) this.before = this.pieces;
        this.pieces = new Map();
        if (this.wanted !== undefined) void this.want(...this.wanted);
    }
    async want(first: number, last: number): Promise<void> {
        this.wanted = [first, last];
        if (this.busy) return;
        this.busy = true;
        try {
            for (let missing = this.missing(); missing !== undefined; missing = this.missing()) {
                const { version } = this;
                const piece = await this.fetch(missing * this.size, this.size);
                if (version !== this.version) continue;
                this.pieces.set(missing, piece);
                // Those seen long ago can be requested again.
                if (this.pieces.size > 64) this.pieces.delete(this.pieces.keys().next().value!);
                ++this.came.value;
            }
        } finally {
            this.busy = false;
        }
    }
    private missing(): number | undefined {
        const [first, last] = this.wanted!;
        for (let piece = Math.floor(first / this.size); piece <= Math.floor(last / this.size); ++piece) {
            if (!this.pieces.has(piece)) return piece;
        }
        return undefined;
    }
}
