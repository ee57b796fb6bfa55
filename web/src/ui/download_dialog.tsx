import { useSignal } from "@preact/signals";
import { ask, closeDialog, Dialog } from "./dialog";
import { download, type OpenFile } from "./files";
import { count } from "./format";
import { useAnswer } from "./use_answer";

/** Downloads the current file. The original is offered first: a game may refuse an edited one. */
export function DownloadDialog({ file }: { file: OpenFile }) {
    const { value: facts } = file.facts;
    const drafts = [...file.drafts.value.keys()];
    const hasBackup = useSignal(false);
    const problem = useSignal("");
    const { value: sums = [] } = useAnswer(() => file.ask((it) => it.staleSums(file.id)), []);
    const updateSums = useSignal(false);
    const backup = async () => {
        download(`${facts.name}.bak`, await file.ask((it) => it.original(file.id)));
        hasBackup.value = true;
    };
    const save = async () => {
        try {
            await saveFile(file, updateSums.value);
            closeDialog();
        } catch (error) {
            problem.value = error instanceof Error ? error.message : String(error);
        }
    };
    return (
        <Dialog title="Download">
            {drafts.length > 0 && (
                <p class="note warn">
                    Not applied: <code>{drafts.slice(0, 5).join(", ")}</code>
                    {drafts.length > 5 && ` and ${count(drafts.length - 5, "other")}`}. These edits are not in the file.
                </p>
            )}
            <p>
                <strong>{facts.name}</strong> has {facts.changes.length === 0 ? "no changes" : count(facts.changes.length, "change")}. {facts.stack.includes(" > ") ? "Inside the layers" : "In the file"}, all other
                bytes are unchanged.
            </p>
            {facts.inside !== "" && (
                <p>
                    The whole file is downloaded, with what was changed here inside <code>{facts.inside}</code>. Changes that were made to the file
                    elsewhere since are not in it{file.host === undefined ? "" : ": put it back, and download the file there"}.
                </p>
            )}
            {sums.length > 0 && (
                <div class="note warn">
                    <p>Sizes or checksums beside what was changed are wrong now. A game that compares them refuses the file:</p>
                    <ul>
                        {sums.slice(0, 5).map((sum) => (
                            <li key={sum.path}>
                                <code>{sum.text}</code>
                            </li>
                        ))}
                    </ul>
                    {sums.length > 5 && <p>and {count(sums.length - 5, "other")}.</p>}
                    {sums.some((sum) => sum.now !== undefined) && (
                        <label>
                            <input type="checkbox" checked={updateSums.value} onChange={(event) => (updateSums.value = event.currentTarget.checked)} />
                            Put right those that are certain
                        </label>
                    )}
                </div>
            )}
            <p>Keep the original, in case the game rejects the edited file.</p>
            {problem.value !== "" && (
                <p class="note bad" role="alert">
                    {problem.value}
                </p>
            )}
            <div class="actions">
                <button class={hasBackup.value ? "" : "primary"} onClick={() => void backup()}>
                    {hasBackup.value ? "✓ " : ""}Download the original
                </button>
                <button autofocus class={hasBackup.value ? "primary" : ""} onClick={() => void save()}>
                    {facts.changes.length === 0 ? "Download it as it is" : "Download the edited file"}
                </button>
            </div>
        </Dialog>
    );
}
/** Without a change, these are the original bytes. */
export async function saveFile(file: OpenFile, updateSums = false): Promise<void> {
    const { name, state } = file.facts.value;
    const bytes = await file.ask((it) => it.saved(file.id, updateSums));
    download(state === "damaged" ? `${name}.recovered` : name, new Blob([bytes as Uint8Array<ArrayBuffer>]));
    file.downloaded.value = true;
}
export async function startDownload(file: OpenFile): Promise<void> {
    // A field that loses the focus applies its text.
    await file.changing;
    const { state, changes } = file.facts.value;
    if (state === "open" && (changes.length > 0 || file.drafts.value.size > 0)) ask("download");
    else if (state === "open" || state === "damaged") void saveFile(file);
}
