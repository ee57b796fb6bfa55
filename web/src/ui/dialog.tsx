// A dialog in front of the page: the browser's own, which keeps the focus and closes by Escape.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { active } from "./files";

export type Asked = "rename" | "add" | "convert" | "compare" | "download" | "reasons" | "read" | "help";
export const asked = signal<Asked | undefined>(undefined);
export function ask(what: Asked): void {
    if (active.value !== undefined) active.value.refusal.value = undefined;
    asked.value = what;
}
export function closeDialog(): void {
    // A refusal there is outdated.
    if (asked.value !== undefined && active.value !== undefined) active.value.refusal.value = undefined;
    asked.value = undefined;
}

/** Returns the focus to `before`, or else to the tree, if nothing has it now. */
function giveFocus(before: Element | null): void {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const had = before instanceof HTMLElement && before.isConnected && before !== document.body;
    (had ? before : document.getElementById("tree"))?.focus();
}

export function Dialog({ title, wide = false, children }: { title: string; wide?: boolean; children: ComponentChildren }) {
    const box = useRef<HTMLDialogElement>(null);
    const pressed = useRef<EventTarget | null>(null);
    useLayoutEffect(() => {
        const before = document.activeElement;
        box.current!.showModal();
        // The dialog is removed rather than closed: the browser then forgets where the focus was.
        return () => queueMicrotask(() => giveFocus(before));
    }, []);
    return (
        <dialog
            ref={box}
            class={wide ? "wide" : ""}
            aria-labelledby="dialog-title"
            onClose={closeDialog}
            onPointerDown={(event) => (pressed.current = event.target)}
            onClick={(event) => {
                // Not after selecting text and releasing the pointer beside the dialog.
                if (event.target === box.current && pressed.current === box.current) box.current?.close();
            }}
        >
            <header>
                <h2 id="dialog-title">{title}</h2>
                <button class="quiet" aria-label="Close" onClick={() => box.current?.close()}>
                    ✕
                </button>
            </header>
            <div class="dialog-body">{children}</div>
        </dialog>
    );
}
