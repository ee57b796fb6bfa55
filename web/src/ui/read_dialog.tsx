import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { closeDialog, Dialog } from "./dialog";
import type { OpenFile } from "./files";
import { worker } from "./worker";

interface Readings {
    documents: string[];
    layers: string[];
    dialects: { name: string; title: string }[];
}

/** For files that are recognised wrongly or not at all: the user chooses the kind and the engine. */
export function ReadDialog({ file }: { file: OpenFile }) {
    const { value: facts } = file.facts;
    const all = useSignal<Readings | undefined>(undefined);
    const [as, dialect] = [useSignal(facts.as), useSignal(facts.dialectAs)];
    useEffect(() => {
        void worker.then(async (it) => {
            const [readings, dialects] = await Promise.all([it.readings(), it.dialects()]);
            all.value = { ...readings, dialects };
        });
    }, []);
    if (all.value === undefined) return null;
    const { documents, layers, dialects } = all.value;
    const hasChanges = facts.changes.length > 0;
    const put = async (event: Event) => {
        event.preventDefault();
        closeDialog();
        await file.openWith({ as: as.value, dialect: dialect.value });
    };
    const options = (names: readonly string[]) => names.map((name) => <option key={name}>{name}</option>);
    return (
        <Dialog title={`Read ${facts.name} as`}>
            <form onSubmit={(event) => void put(event)}>
                <label>
                    Content <span class="muted">a document, or the outermost layer</span>
                    <select value={as.value} onChange={(event) => (as.value = event.currentTarget.value)}>
                        <option value="">what is found</option>
                        <optgroup label="Documents">{options(documents)}</optgroup>
                        <optgroup label="Layers">{options(layers)}</optgroup>
                    </select>
                </label>
                <label>
                    Engine
                    <select value={dialect.value} onChange={(event) => (dialect.value = event.currentTarget.value)}>
                        <option value="">what is found</option>
                        {dialects.map(({ name, title }) => (
                            <option key={name} value={name}>
                                {title} ({name})
                            </option>
                        ))}
                    </select>
                </label>
                {hasChanges && <p class="note warn">The file is read anew. Download its changes first, or take them back.</p>}
                <div class="actions">
                    <button class="primary" disabled={hasChanges}>
                        Read
                    </button>
                </div>
            </form>
        </Dialog>
    );
}
