// The files of a pack, or those that a browser keeps for a game.
import type { Archive } from "../worker/shown";
import { openEntry, type OpenFile } from "./files";
import { bytes } from "./format";
import { Virtual } from "./virtual";

export function ArchiveView({ file, archive }: { file: OpenFile; archive: Archive }) {
    const row = (index: number) => {
        const entry = archive.entries[index]!;
        return (
            <div class="entry">
                <button class="quiet" disabled={!entry.opens} onClick={() => void openEntry(file, index)}>
                    {entry.name || `#${index}`}
                </button>
                <span class="muted">{entry.notes.join("; ")}</span>
                <span class="size">{bytes(entry.size)}</span>
            </div>
        );
    };
    return (
        <section class="archive" aria-label="Files inside">
            <p class="pad">
                {archive.description}. <span class="muted">The files inside are read-only.</span>
            </p>
            <Virtual role="group" tabIndex={0} aria-label="Files inside" total={archive.entries.length} rowHeight={30} row={row} />
        </section>
    );
}
