import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Found } from "../worker/shown";
import type { OpenFile } from "./files";
import { count } from "./format";
import { Virtual } from "./virtual";

/** Searches keys, values and paths during typing. Another file has another bar. */
export function SearchBar({ file }: { file: OpenFile }) {
    const query = useSignal(file.search.value?.query ?? "");
    const at = useSignal(-1);
    const timer = useRef(0);
    /** A step requested before its match was found. */
    const waiting = useRef(0);
    const type = (text: string) => {
        query.value = text;
        at.value = -1;
        waiting.current = 0;
        clearTimeout(timer.current);
        timer.current = setTimeout(() => void file.find(text.trim()), 150) as unknown as number;
    };
    const { value: search } = file.search;
    const isOfText = search !== undefined && search.query === query.value.trim();
    const found = isOfText ? search.found : [];
    const go = (step: number) => {
        if (found.length === 0) {
            // Fast typing is ahead of the search: the shown matches may be of an older text.
            waiting.current = step;
            if (isOfText) return;
            clearTimeout(timer.current);
            void file.find(query.value.trim());
            return;
        }
        const from = at.value < 0 && step < 0 ? 0 : at.value;
        at.value = (from + step + found.length) % found.length;
        void file.select(found[at.value]!.ref);
    };
    useEffect(() => {
        if (waiting.current === 0 || found.length === 0) return;
        go(waiting.current);
        waiting.current = 0;
    }, [found]);
    const keys = (event: KeyboardEvent) => {
        if (event.key === "Enter" || event.key === "ArrowDown") go(event.shiftKey ? -1 : 1);
        else if (event.key === "ArrowUp") go(-1);
        else if (event.key === "Escape") {
            type("");
            document.getElementById("tree")?.focus();
        } else return;
        event.preventDefault();
    };
    return (
        <div class="search" role="search">
            <input
                id="search"
                type="search"
                placeholder="Search keys and values, or a path: $.players[*].hp"
                aria-label="Search keys, values and paths"
                spellcheck={false}
                autocomplete="off"
                value={query.value}
                onInput={(event) => type(event.currentTarget.value)}
                onKeyDown={keys}
            />
            {search !== undefined && (
                <>
                    <p class="search-state" role="status">
                        {search.refusal !== undefined ? search.refusal.message : `${count(search.total, "match", "matches")}${search.done ? "" : " so far…"}`}
                        {search.total > search.found.length && `, the first ${search.found.length.toLocaleString("en")} are listed`}
                    </p>
                    {search.found.length > 0 && (
                        <Virtual
                            class="found"
                            role="listbox"
                            tabIndex={0}
                            aria-label="Matches"
                            aria-activedescendant={at.value < 0 ? undefined : matchId(at.value)}
                            style={{ height: `${Math.min(search.found.length, 8) * 26}px` }}
                            total={search.found.length}
                            rowHeight={26}
                            show={at.value < 0 ? undefined : { index: at.value }}
                            onKeyDown={keys}
                            row={(index) => (
                                <Match
                                    found={search.found[index]!}
                                    index={index}
                                    isAt={index === at.value}
                                    onPick={() => {
                                        at.value = index;
                                        void file.select(search.found[index]!.ref);
                                    }}
                                />
                            )}
                        />
                    )}
                </>
            )}
        </div>
    );
}
const matchId = (index: number) => `match-${index}`;
function Match({ found, index, isAt, onPick }: { found: Found; index: number; isAt: boolean; onPick: () => void }) {
    return (
        <div id={matchId(index)} class={`match${isAt ? " selected" : ""}`} role="option" aria-selected={isAt} onClick={onPick}>
            <span class="trail">{found.trail}</span>
            <span class={`value ${found.look}`}>{found.text}</span>
        </div>
    );
}
