import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { ask, asked } from "./dialog";
import { Dialogs } from "./dialogs";
import { startDownload } from "./download_dialog";
import { FileView } from "./file_view";
import { active, broken, closeFile, files, loading, openFiles, problem, type OpenFile } from "./files";
import { pickFiles } from "./pick";
import { nextTheme, theme } from "./theme";
import { Welcome } from "./welcome";

export function App() {
    const over = useSignal(false);
    useLayoutEffect(() => listen(over), []);
    const { value: file } = active;
    return (
        <div class={`app${over.value ? " over" : ""}`}>
            <header class="top">
                <span class="brand">
                    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
                        <path d="M5 4h6v3H8v10h3v3H5zM19 4h-6v3h3v10h-3v3h6z" />
                        <circle cx="12" cy="12" r="1.8" />
                    </svg>
                    gdvar
                </span>
                <Tabs />
                <span class="top-actions">
                    <button onClick={() => void pickFiles().then(openFiles)}>Open…</button>
                    <button class="quiet icon" aria-label={`Theme: ${theme.value}`} title={`Theme: ${theme.value}`} onClick={nextTheme}>
                        ◐
                    </button>
                    <button class="quiet icon" aria-label="Help and keys" title="Help and keys" onClick={() => ask("help")}>
                        ?
                    </button>
                </span>
            </header>
            {broken.value !== "" && (
                <p class="note bad" role="alert">
                    gdvar could not be started: {broken.value}
                </p>
            )}
            {problem.value !== "" && (
                <p class="note bad" role="alert">
                    {problem.value}{" "}
                    <button class="quiet" onClick={() => (problem.value = "")}>
                        Close
                    </button>
                </p>
            )}
            {loading.value > 0 && (
                <p class="loading" role="status">
                    Opening…
                </p>
            )}
            {file === undefined ? <Welcome /> : <FileView key={file.id} file={file} />}
            <Dialogs key={`${asked.value} ${file?.id}`} />
        </div>
    );
}

function Tabs() {
    const { value: shown } = active;
    useEffect(() => document.querySelector(".tab.active")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [shown]);
    if (files.value.length === 0) return <span class="tabs" />;
    return (
        <nav class="tabs" aria-label="Open files">
            {files.value.map((file) => (
                <span key={file.id} class={`tab${file === active.value ? " active" : ""}`}>
                    <button class="quiet" aria-current={file === active.value ? "page" : undefined} onClick={() => (active.value = file)}>
                        {/* Before the name, of which the end may be cut. */}
                        {!file.isKept && <span class="dot" role="img" title="changed" aria-label="changed:" />}
                        {file.facts.value.name}
                        {file.facts.value.inside !== "" && <span class="muted"> › {file.facts.value.inside}</span>}
                        {file.number > 1 && <span class="muted"> ({file.number})</span>}
                    </button>
                    <button class="quiet icon" aria-label={`Close ${file.title}`} onClick={() => void close(file)}>
                        ✕
                    </button>
                </span>
            ))}
        </nav>
    );
}
async function close(file: OpenFile): Promise<void> {
    await file.changing;
    if (file.isSafe || confirm(`Close ${file.title}? Its changes have not been downloaded.`)) void closeFile(file);
}

/** Handles dropped files and keys for the whole page, and asks before changes are lost. */
function listen(over: { value: boolean }): () => void {
    const drag = (event: DragEvent) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        over.value = true;
    };
    const leave = (event: DragEvent) => {
        if (event.relatedTarget === null) over.value = false;
    };
    const drop = (event: DragEvent) => {
        over.value = false;
        if (!event.dataTransfer?.files.length) return;
        event.preventDefault();
        void openFiles(event.dataTransfer.files);
    };
    const leaving = (event: BeforeUnloadEvent) => {
        if (files.value.some((file) => !file.isSafe)) event.preventDefault();
    };
    const failed = ({ reason }: PromiseRejectionEvent) => {
        problem.value = `The page has failed: ${reason instanceof Error ? reason.message : String(reason)}`;
    };
    const added = [
        ["dragover", drag],
        ["dragleave", leave],
        ["drop", drop],
        ["keydown", pageKey],
        ["beforeunload", leaving],
        ["unhandledrejection", failed],
    ] as [keyof WindowEventMap, (event: Event) => void][];
    const until = new AbortController();
    for (const [name, use] of added) addEventListener(name, use, { signal: until.signal });
    return () => until.abort();
}
function pageKey(event: KeyboardEvent): void {
    if (document.querySelector("dialog[open]") !== null) return;
    const { value: file } = active;
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName);
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && key === "o") void pickFiles().then(openFiles);
    else if (file === undefined) return;
    else if ((command && key === "f") || (key === "/" && !isTyping)) document.getElementById("search")?.focus();
    else if (command && key === "s") startDownload(file);
    else if (isTyping) return;
    else if (command && (key === "y" || (key === "z" && event.shiftKey))) void file.redo();
    else if (command && key === "z") void file.undo();
    else return;
    event.preventDefault();
}
