import { useSignal } from "@preact/signals";
import type { DialectName } from "gdvar";
import type { OpenFile } from "./files";
import { FormDialog } from "./form_dialog";
import { DialectOptions } from "./parts";
import { useAnswer } from "./use_answer";
import { worker } from "./worker";

/** For files that are recognised wrongly or not at all: the user chooses the kind and the engine. */
export function ReadDialog({ file }: { file: OpenFile }) {
    const { value: facts } = file.facts;
    const all = useAnswer(async () => {
        const it = await worker;
        const [readings, dialects] = await Promise.all([it.readings(), it.dialects()]);
        return { ...readings, dialects };
    }, []);
    const [as, dialect] = [useSignal(facts.as), useSignal(facts.dialectAs)];
    if (all.value === undefined) return null;
    const { documents, layers, dialects } = all.value;
    const hasChanges = facts.changes.length > 0;
    const put = async () => {
        void file.openWith({ as: as.value, dialect: dialect.value });
        return true;
    };
    const options = (names: readonly string[]) => names.map((name) => <option key={name}>{name}</option>);
    return (
        <FormDialog file={file} title={`Read ${facts.name} as`} action="Read" can={!hasChanges} put={put}>
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
                <select value={dialect.value} onChange={(event) => (dialect.value = event.currentTarget.value as DialectName | "")}>
                    <option value="">what is found</option>
                    <DialectOptions dialects={dialects} />
                </select>
            </label>
            {hasChanges && <p class="note warn">The file is read anew. Download its changes first, or take them back.</p>}
        </FormDialog>
    );
}
