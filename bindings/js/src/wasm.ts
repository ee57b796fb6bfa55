// An instance of a module, and the common part of calls of the C interface (wasm/README.md): memory, structs, errors.
import { GdvarError, type ErrorCode, type ErrorFacts } from "./errors.js";
import { type CFunction, ERROR, ERROR_SOURCE, ErrorAt, type Functions, Size, TYPES } from "./interface.js";
import { hasItsBytes, isArrayBuffer, lengthOf } from "./realm.js";
import { textAt, toUtf8, utf8 } from "./utf8.js";

/** The modules' exports; which functions exist depends on the module. */
export interface Exports extends Functions {
    memory: WebAssembly.Memory;
    _initialize(): void;
    malloc(size: number): number;
    free(at: number): void;
    // callbacks.cpp
    gdvar_use_callback(): number;
    gdvar_match_callback(): number;
    // texts.cpp
    gdvar_texts(): number;
    gdvar_read_packet(document: number, bytes: number, options: number, error: number): number;
    gdvar_look_at_texts(document: number, node: number): void;
    gdvar_look_at_records(at: number, count: number, counted: boolean): void;
    gdvar_to_utf8(from: number, count: number, to: number): number;
    gdvar_dialect_facts(options: number): number;
}
/** A function whose name is given. */
export type AnyFunction = (...given: readonly unknown[]) => number;

/** The bytes of a program's array, buffer or view. Errors: TypeError for other values, or lost bytes. */
export function bytesOf(bytes: Uint8Array | ArrayBuffer): Uint8Array {
    if (bytes instanceof Uint8Array) {
        if (lengthOf(bytes) === 0 && !hasItsBytes(bytes)) throw new TypeError(LOST_BYTES);
        return bytes;
    }
    if (ArrayBuffer.isView(bytes)) {
        if (!hasItsBytes(bytes)) throw new TypeError(LOST_BYTES);
        const { buffer, byteOffset, byteLength } = bytes as ArrayBufferView;
        return new Uint8Array(buffer, byteOffset, byteLength);
    }
    if (isArrayBuffer(bytes)) return new Uint8Array(bytes);
    throw new TypeError("gdvar reads a Uint8Array or an ArrayBuffer");
}

export function setLong(u32: Uint32Array, word: number, value: number): void {
    u32[word] = value;
    u32[word + 1] = value / 4294967296;
}

/** The message for a view whose buffer is gone. */
export const LOST_BYTES = "the bytes of a typed array have been taken away";

/**
 * One instance of a compiled module. Views of its memory must be renewed after it has grown: call `refresh` after each call,
 * and keep none.
 */
export class Instance {
    readonly exports: Exports;
    u8!: Uint8Array;
    i32!: Int32Array;
    u32!: Uint32Array;
    f32!: Float32Array;
    f64!: Float64Array;
    i64!: BigInt64Array;
    /** A gdvar_error, a gdvar_bytes to pass, a returned one (or any 16 bytes), a gdvar_buffer. */
    readonly error: number;
    readonly given: number;
    readonly result: number;
    readonly buffer: number;
    /** A gdvar_buffer for the path of a value that can't be written. */
    readonly path: number;
    private input = 0;
    private capacity = 0;

    constructor(module: WebAssembly.Module, imports: WebAssembly.ModuleImports = {}) {
        const random = (at: number, size: number) => {
            // A call may request at most 65536 bytes; gdvar requests fewer.
            crypto.getRandomValues(new Uint8Array(this.exports.memory.buffer, at, size));
        };
        this.exports = new WebAssembly.Instance(module, { gdvar: { random, ...imports } }).exports as unknown as Exports;
        this.exports._initialize();
        this.error = this.alloc(Size.error);
        this.given = this.alloc(16);
        this.result = this.alloc(32);
        this.buffer = this.handle("gdvar_buffer_new");
        this.path = this.handle("gdvar_buffer_new");
    }

    /** Call after any call that may allocate. */
    refresh(): void {
        // Grown memory has detached the earlier views. (Asking for its buffer takes longer.)
        if (this.u8 !== undefined && this.u8.length !== 0) return;
        const { buffer } = this.exports.memory;
        this.u8 = new Uint8Array(buffer);
        this.i32 = new Int32Array(buffer);
        this.u32 = new Uint32Array(buffer);
        this.f32 = new Float32Array(buffer);
        this.f64 = new Float64Array(buffer);
        this.i64 = new BigInt64Array(buffer);
    }

    alloc(size: number): number {
        const at = this.exports.malloc(size);
        this.refresh();
        if (at === 0) throw outOfMemory();
        return at >>> 0;
    }
    free(at: number): void {
        this.exports.free(at);
    }
    /** Makes a handle. Errors: no_memory. */
    handle(make: CFunction, ...given: readonly unknown[]): number {
        const at = (this.exports[make] as AnyFunction)(...given);
        this.refresh();
        if (at === 0) throw outOfMemory();
        return at;
    }

    /**
     * Copies bytes to the input area of the next call, and writes a gdvar_bytes of them to `given`. They stay there until the
     * next `put`. The address is divisible by 16; 32 bytes behind them belong to the module, too.
     */
    put(bytes: Uint8Array): number {
        const size = lengthOf(bytes);
        if (size > this.capacity) {
            this.free(this.input);
            this.input = this.capacity = 0;
            const capacity = Math.max(1024, size + (size >>> 2));
            this.input = this.alloc(capacity + 32);
            this.capacity = capacity;
        }
        this.u8.set(bytes, this.input);
        this.u32[this.given >>> 2] = this.input;
        this.u32[(this.given >>> 2) + 1] = size;
        return this.input;
    }
    /** Frees the memory of a large input: the next one will probably be small. */
    trim(): void {
        if (this.capacity <= 1 << 20) return;
        this.free(this.input);
        this.input = this.capacity = 0;
    }

    /** A text ended by a NUL. The caller frees it. */
    putText(text: string): number {
        const bytes = toUtf8.encode(text);
        const at = this.alloc(bytes.length + 1);
        this.u8.set(bytes, at);
        this.u8[at + bytes.length] = 0;
        return at;
    }
    text(at: number, size: number): string {
        return textAt(this.u8, at, size);
    }
    /** Reads a NUL-terminated text. */
    cText(at: number): string {
        return this.text(at, this.u8.indexOf(0, at) - at);
    }
    /** A copy of bytes of the memory. */
    copy(at: number, size: number): Uint8Array<ArrayBuffer> {
        return this.u8.slice(at, at + size);
    }
    /** A copy of the gdvar_bytes at `result`. */
    taken(): Uint8Array<ArrayBuffer> {
        return this.copy(this.u32[this.result >>> 2]!, this.u32[(this.result >>> 2) + 1]!);
    }
    /** Takes the output of a call from a buffer, which is empty afterwards. */
    takeBuffer(buffer: number = this.buffer): Uint8Array<ArrayBuffer> {
        this.exports["gdvar_buffer_bytes"](this.result, buffer);
        this.refresh();
        try {
            return this.taken();
        } finally {
            // Even without memory for the copy: the next call appends.
            this.exports["gdvar_buffer_clear"](buffer);
        }
    }

    takeText(buffer: number = this.buffer): string {
        return utf8.decode(this.takeBuffer(buffer));
    }

    /** The path of the value at which reading failed. `bytes`: the address of the gdvar_bytes. */
    errorPath(bytes: number, settings: number): string {
        this.exports["gdvar_error_path"](bytes, settings, this.error, this.buffer);
        return this.takeText();
    }
    /** The error of a call, or another gdvar_error of this memory. `known`: further details. */
    failure(path?: string, known: Partial<ErrorFacts> = {}, error: number = this.error): GdvarError {
        const { exports } = this;
        const size = exports["gdvar_error_message"](error, 0, 0) + 1;
        const at = this.alloc(size);
        exports["gdvar_error_message"](error, at, size);
        this.refresh();
        const message = this.text(at, size - 1);
        this.free(at);
        const { code, type, offset, need, line, column, change, ...read } = ERROR.read(this, error);
        const source = ERROR_SOURCE[read.source] ?? "call";
        const facts = {
            code: this.cText(exports["gdvar_error_name"](code)) as ErrorCode,
            kind: this.cText(exports["gdvar_error_kind"](code)),
            source,
            ...(source === "call" ? {} : { offset }),
            ...(need > 0 ? { need } : {}),
            ...(type > 0 ? { type: TYPES[type]! } : {}),
            ...(source === "text" || (source === "file" && line > 0) ? { line, column } : {}),
            ...(source === "patch" ? { change } : {}),
            ...(path !== undefined ? { path } : {}),
            ...known,
        };
        return new GdvarError(message, facts);
    }
    /** The error of a stream that begins at byte `begin` of a larger source: its offset counts from there. */
    failureBehind(begin: number): GdvarError {
        setLong(this.u32, (this.error + ErrorAt.offset) >>> 2, ERROR.read(this, this.error).offset + begin);
        return this.failure();
    }
    /** The number of a code, or one that is none. */
    codeNumber(code: string): number {
        const name = this.putText(code);
        const number = this.exports["gdvar_error_code"](name);
        this.free(name);
        return number;
    }
    /** An error found by JavaScript: with a code of gdvar's, or "bad_option". */
    refusal(code: ErrorCode, message: string, path?: string, known: Partial<ErrorFacts> = {}): GdvarError {
        const kind = this.cText(this.exports["gdvar_error_kind"](this.codeNumber(code))) || "call";
        const facts = { code, kind, source: "value" as const, ...(path !== undefined ? { path } : {}), ...known };
        return new GdvarError(`error[${code}]: ${message}`, facts);
    }
}

export function outOfMemory(): GdvarError {
    return new GdvarError("error[no_memory]: no memory is left", { code: "no_memory", kind: "system", source: "call" });
}

/**
 * A module's instance, shared by all calls of a package. After a trap its memory may be in any state: it is dropped, and the
 * next call gets a new one.
 */
export class Keeper {
    private instance: Instance | undefined = undefined;
    private busy = false;
    /** Called when the instance was dropped: addresses in it are meaningless. */
    readonly dropped: Array<() => void> = [];
    constructor(private readonly module: WebAssembly.Module, private readonly imports: WebAssembly.ModuleImports = {}) {}
    get(): Instance {
        return (this.instance ??= new Instance(this.module, this.imports));
    }
    /** True if an instance is the current one: not dropped. */
    has(instance: Instance): boolean {
        return this.instance === instance;
    }
    drop(): void {
        this.instance = undefined;
        for (const tell of this.dropped) tell();
    }
    /** Calls `work`; a trap becomes an error. A getter of a value being written can't call again. */
    run<T>(work: (instance: Instance) => T): T {
        if (this.busy) throw this.get().refusal("misplaced", "gdvar was called while it writes a value, by a getter of that value");
        this.busy = true;
        try {
            const instance = this.get();
            instance.refresh();
            return work(instance);
        } catch (error) {
            if (!(error instanceof WebAssembly.RuntimeError)) throw error;
            this.drop();
            throw outOfMemory();
        } finally {
            this.busy = false;
        }
    }
}

/** A handle of the C interface, owned by a JavaScript object: freed with it, and lost with the memory after a trap. */
export class Handle {
    private readonly module: Instance;
    private readonly release: () => void;
    /** `owner`: the handle's owner; `free`: the function that frees it; `what`: "the save", for errors. */
    constructor(private readonly keeper: Keeper, private address: number, owner: object, free: CFunction, private readonly what: string) {
        const module = keeper.get();
        this.module = module;
        this.release = () => {
            if (keeper.has(module)) (module.exports[free] as AnyFunction)(address);
        };
        forgotten.register(owner, this.release, this);
    }
    get(): number {
        if (this.address === 0) throw this.keeper.get().refusal("misplaced", `${this.what} was closed`);
        // A trap has dropped its memory.
        if (!this.keeper.has(this.module)) throw this.keeper.get().refusal("no_memory", `${this.what} was lost when no memory was left`);
        return this.address;
    }
    get isClosed(): boolean {
        return this.address === 0;
    }
    get isOpen(): boolean {
        return this.address !== 0 && this.keeper.has(this.module);
    }
    close(): void {
        if (this.address === 0) return;
        this.address = 0;
        forgotten.unregister(this);
        this.keeper.run(() => this.release());
    }
}
const forgotten = new FinalizationRegistry((release: () => void) => release());
