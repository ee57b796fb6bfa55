import type { ComponentChildren } from "preact";
import { closeDialog, Dialog } from "./dialog";
import type { OpenFile } from "./files";
import { RefusalNote } from "./refusal_note";

/** A dialog that asks for something, and says why it was refused. `put` gives true when the dialog is done. */
export function FormDialog({ file, title, action, can = true, put, children }: { file: OpenFile; title: string; action: string; can?: boolean; put: () => Promise<boolean>; children: ComponentChildren }) {
    const submit = async (event: Event) => {
        event.preventDefault();
        if (await put()) closeDialog();
    };
    return (
        <Dialog title={title}>
            <form onSubmit={(event) => void submit(event)}>
                {children}
                {file.refusal.value !== undefined && <RefusalNote refusal={file.refusal.value} />}
                <div class="actions">
                    <button class="primary" disabled={!can}>
                        {action}
                    </button>
                </div>
            </form>
        </Dialog>
    );
}
