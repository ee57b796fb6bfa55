import { useSignal } from "@preact/signals";
import type { DialectName } from "gdvar";
import type { Converted } from "../worker/shown";
import { closeDialog, Dialog } from "./dialog";
import { download, openFiles, type OpenFile } from "./files";
import { count, withWord } from "./format";
import { DialectOptions } from "./parts";
import { RefusalNote } from "./refusal_note";
import { useAnswer } from "./use_answer";
import { worker } from "./worker";

/** The file for another engine, and the losses. */
export function ConvertDialog({ file }: { file: OpenFile }) {
    const { value: facts } = file.facts;
    const dialects = useAnswer(async () => (await worker).dialects(), []);
    const target = useSignal<DialectName | "">("");
    const converted = useSignal<Converted | undefined>(undefined);
    const targets = (dialects.value ?? []).filter(({ name }) => !name.startsWith("page-") && name !== facts.dialect);
    const choose = async (name: DialectName | "") => {
        target.value = name;
        converted.value = undefined;
        if (name !== "") converted.value = await file.ask((it) => it.convert(file.id, name));
    };
    const { value: result } = converted;
    const name = withWord(facts.name, target.value);
    const blob = () => new Blob([result!.bytes as Uint8Array<ArrayBuffer>]);
    return (
        <Dialog title="Convert" wide>
            <p>
                {facts.name} is for <strong>{facts.dialect}</strong>.
            </p>
            <label>
                Make a copy for
                <select value={target.value} onChange={(event) => void choose(event.currentTarget.value as DialectName | "")}>
                    <option value="">choose an engine</option>
                    <DialectOptions dialects={targets} />
                </select>
            </label>
            {target.value !== "" && result === undefined && <p class="muted">Converting…</p>}
            {result?.refusal !== undefined && <RefusalNote refusal={result.refusal} />}
            {result?.bytes !== undefined && (
                <>
                    <p role="status">
                        {result.losses.length === 0 ? "Nothing is lost." : `${count(result.losses.length, "value")} can't be kept as ${result.losses.length === 1 ? "it is" : "they are"}:`}
                    </p>
                    {result.losses.length > 0 && (
                        <div class="table-box" tabIndex={0} role="region" aria-label="Losses">
                            <table>
                                <tbody>
                                    {result.losses.slice(0, 1000).map((loss, i) => (
                                        <tr key={i}>
                                            <td>
                                                <code>{loss.path}</code>
                                            </td>
                                            <td>
                                                {loss.what}
                                                {loss.substitution !== "" && `; ${loss.substitution}`}
                                            </td>
                                        </tr>
                                    ))}
                                </tbody>
                            </table>
                            {result.losses.length > 1000 && <p class="muted">and {count(result.losses.length - 1000, "other")}</p>}
                        </div>
                    )}
                    <div class="actions">
                        <button class="primary" onClick={() => download(name, blob())}>
                            Download {name}
                        </button>
                        <button
                            onClick={() => {
                                closeDialog();
                                void openFiles([{ name, blob: blob(), isNew: true }]);
                            }}
                        >
                            Open it here
                        </button>
                    </div>
                </>
            )}
        </Dialog>
    );
}
