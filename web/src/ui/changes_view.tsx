import type { OpenFile } from "./files";
import { count } from "./format";
import { Quiet } from "./parts";

/** The changes since the file was opened. */
export function ChangesView({ file }: { file: OpenFile }) {
    const { changes, undone } = file.facts.value;
    return (
        <section class="panel" aria-label="Changes">
            <header class="panel-head">
                <span class="muted">{changes.length === 0 ? "Nothing was changed: a download gives the bytes that came." : count(changes.length, "change")}</span>
                <span class="actions">
                    <Quiet name="Undo" can={changes.length > 0} onClick={() => void file.undo()} />
                    <Quiet name="Redo" can={undone > 0} onClick={() => void file.redo()} />
                </span>
            </header>
            <ol class="changes">
                {changes.map((change, i) => (
                    <li key={i}>
                        <span class="muted">{change.what}</span> <code>{change.path}</code>
                        {change.others !== undefined && change.others > 0 && (
                            <span class="muted"> with {count(change.others, "other pair")} of the same key</span>
                        )}
                        <div>
                            {change.before !== "" && <del>{change.before}</del>} {change.after !== "" && <ins>{change.after}</ins>}
                        </div>
                    </li>
                ))}
            </ol>
        </section>
    );
}
