// Permissions of files, for the command as WebAssembly. WASI has none: these functions are imports of the command beside it.
import { closeSync, constants, fchmodSync, fchownSync, fstatSync, openSync, statSync } from "node:fs";
import { posix } from "node:path";

type Functions = Record<string, (...given: never[]) => number>;
type Imports = Record<string, Functions>;

/** The bits for another group: it counts as others. */
const forOthers = (bits: number) => bits & (0o707 | ((bits & 0o7) << 3));

/** The imports of the command: those of WASI, and permissions. `memory`: that of the instance. */
export function withPermissions(wasi: Functions, memory: () => WebAssembly.Memory): Imports {
    // On Windows a file has those of its folder.
    if (process.platform === "win32")
        return { wasi_snapshot_preview1: wasi, gdvar: { permissions: () => 0o600, set_permissions: () => 1, copy_permissions: () => 1 } };

    const ownGroup = process.getegid?.();
    // The names of all opened files, each byte as a character: a name need not be UTF-8.
    const names = new Map([[3, "/"]]);
    const nameOf = (file: number) => Buffer.from(names.get(file) ?? "", "latin1");

    /** Changes a file that was just made. A link in its place is not followed. 1: done. */
    function change(name: Buffer, bitsOf: (made: number) => number): number {
        let made = -1;
        try {
            made = openSync(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
            fchmodSync(made, bitsOf(made));
            return 1;
        } catch {
            return 0;
        } finally {
            if (made >= 0) closeSync(made);
        }
    }

    const open = wasi["path_open"] as unknown as (...given: unknown[]) => number;
    return {
        wasi_snapshot_preview1: {
            ...wasi,
            path_open(folder: number, follow: number, at: number, size: number, ...rest: unknown[]): number {
                // A file is made for its owner only.
                const umask = process.umask(0o077);
                const error = open(folder, follow, at, size, ...rest);
                process.umask(umask);
                if (error) return error;
                const { buffer } = memory();
                const name = Buffer.from(buffer, at, size).toString("latin1");
                names.set(new DataView(buffer).getUint32(Number(rest.at(-1)), true), posix.resolve(names.get(folder) ?? "/", name));
                return 0;
            },
        },
        gdvar: {
            permissions(file: number): number {
                try {
                    const { mode, gid } = statSync(nameOf(file));
                    return gid === ownGroup ? mode & 0o777 : forOthers(mode);
                } catch {
                    return 0o600;
                }
            },
            set_permissions: (file: number, bits: number) =>
                change(nameOf(file), (made) => (fstatSync(made).gid === ownGroup ? bits : forOthers(bits)) & ~process.umask()),
            copy_permissions: (from: number, to: number) =>
                change(nameOf(to), (made) => {
                    const { mode, uid, gid } = statSync(nameOf(from));
                    try {
                        fchownSync(made, uid, gid);
                    } catch {
                        // Only root can give it to another owner.
                    }
                    return fstatSync(made).gid === gid ? mode & 0o777 : forOthers(mode);
                }),
        },
    };
}
