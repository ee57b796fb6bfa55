import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { problem } from "./files";
import { Quiet } from "./parts";

/** Milliseconds for which a button confirms the copy. */
const SAID = 1500;

/** Puts a text on the clipboard, and confirms it. */
export function CopyButton({ text, label }: { text: string | undefined; label: string }) {
    const copied = useSignal(false);
    useEffect(() => {
        if (!copied.value) return undefined;
        const timer = setTimeout(() => (copied.value = false), SAID);
        return () => clearTimeout(timer);
    }, [copied.value]);
    const copy = async () => {
        copied.value = await toClipboard(text ?? "");
        if (!copied.value) problem.value = "The browser did not allow copying. Select the text, and copy it yourself.";
    };
    return <Quiet name={copied.value ? "Copied" : label} can={text !== undefined} onClick={() => void copy()} />;
}

/** A page over plain HTTP has no clipboard: it uses the older way. */
async function toClipboard(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        const focused = document.activeElement;
        const area = document.createElement("textarea");
        area.value = text;
        area.className = "copied";
        document.body.append(area);
        area.select();
        const done = document.execCommand("copy");
        area.remove();
        if (focused instanceof HTMLElement) focused.focus();
        return done;
    }
}
