// The records of a file or stream of any size, in sequence.
import { core } from "./core.js";
import { checkedLimit, checkOptions, type Names } from "./options.js";
import { StreamFramer, type FrameOptions } from "./packets.js";
import { isArrayBuffer } from "./realm.js";
import { bytesOf } from "./wasm.js";

/** The used part of a ReadableStream. */
export interface StreamLike {
    getReader(): { read(): Promise<{ done: boolean; value?: any }>; cancel(): Promise<void> };
}
/** The used part of a Blob or File. */
export interface BlobLike {
    readonly size: number;
    slice(begin: number): BlobLike;
    stream(): StreamLike;
}
/** A source of records: a file of a page, `fetch(...).body`, a stream of Node. */
export type RecordSource = Uint8Array | ArrayBuffer | BlobLike | StreamLike | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Options of reading records. */
export interface RecordsOptions extends Pick<FrameOptions, "bigEndian"> {
    /** The most bytes of one record. Default: 256 MiB. */
    maxRecord?: number;
    /** Bytes before the first record. */
    skip?: number;
}
const RECORDS_NAMES: Names<RecordsOptions> = { bigEndian: true, maxRecord: true, skip: true };
/** One record, and the start of its packet in the source. */
export interface SourceRecord {
    packet: Uint8Array<ArrayBuffer>;
    offset: number;
}

/** The most read at once: memory holds this and a record or two. */
const piece = 1 << 18;

/**
 * The records of `FileAccess.store_var`, each behind its length, as they arrive. At most a record and a piece of the source are
 * in memory. Errors: GdvarError, with the offset in the source: truncated (the source ends inside a record), size_limit
 * (`maxRecord`); or the source's own. Earlier records have been yielded by then.
 */
export async function* records(source: RecordSource, options: RecordsOptions = {}): AsyncGenerator<SourceRecord, void, undefined> {
    checkOptions(options, RECORDS_NAMES);
    const { skip = 0, maxRecord = 256 << 20, bigEndian = false } = options;
    if (!(Number.isSafeInteger(skip) && skip >= 0)) throw core.get().refusal("bad_option", `skip must be a number of bytes, not ${skip}`);
    const framer = new StreamFramer({ maxPacket: checkedLimit(core.get(), "maxRecord", maxRecord), bigEndian, begin: skip });
    let offset = skip;
    try {
        for await (const bytes of behind(source, skip)) {
            for (const packet of framer.feed(bytes)) {
                offset += 4;
                yield { packet, offset };
                offset += packet.length;
            }
        }
        framer.finish();
    } finally {
        framer.close();
    }
}

/** The bytes of a source from `skip` on, in small pieces. */
async function* behind(source: RecordSource, skip: number): AsyncGenerator<Uint8Array, void, undefined> {
    let left = skip;
    if (isBlob(source)) {
        left -= Math.min(skip, source.size);
        // A slice of a Blob of gigabytes costs nothing.
        yield* inPieces(source.slice(skip - left).stream(), 0);
    } else {
        left = yield* inPieces(source, skip);
    }
    if (left === 0) return;
    const message = `the source ends ${left} bytes before its first record`;
    throw core.get().refusal("truncated", message, undefined, { source: "file", offset: skip - left, need: left });
}
/** Returns the number of bytes to skip that were missing. */
async function* inPieces(source: Exclude<RecordSource, BlobLike>, skip: number): AsyncGenerator<Uint8Array, number, undefined> {
    let left = skip;
    for await (const chunk of chunksOf(source)) {
        const bytes = bytesOf(chunk);
        for (let at = Math.min(left, bytes.length); at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
        left -= Math.min(left, bytes.length);
    }
    return left;
}

function chunksOf(source: Exclude<RecordSource, BlobLike>): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
    if (ArrayBuffer.isView(source) || isArrayBuffer(source)) return [source as Uint8Array];
    if (typeof source !== "object") throw new TypeError("records are read from bytes, a Blob or a stream");
    return "getReader" in source && !(Symbol.asyncIterator in source) ? readFrom(source) : (source as AsyncIterable<Uint8Array>);
}
/** Not every browser iterates over its streams. */
async function* readFrom(stream: StreamLike): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = stream.getReader();
    try {
        for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    } finally {
        await reader.cancel();
    }
}
function isBlob(source: RecordSource): source is BlobLike {
    return typeof source === "object" && "slice" in source && "stream" in source;
}
