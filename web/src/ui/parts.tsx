// Parts that many views have.
import type { Signal } from "@preact/signals";

/** A button without a frame, with its name as text. */
export function Quiet({ name, can = true, title, onClick }: { name: string; can?: boolean; title?: string; onClick: () => void }) {
    return (
        <button class="quiet" disabled={!can} title={title} onClick={onClick}>
            {name}
        </button>
    );
}

/** One of several values, each with its name. */
export function Switch<T>({ label, choices, value }: { label: string; choices: readonly { name: string; value: T; title?: string }[]; value: Signal<T> }) {
    return (
        <span class="switch" role="group" aria-label={label}>
            {choices.map((choice) => (
                <button key={choice.name} type="button" aria-pressed={value.value === choice.value} title={choice.title} onClick={() => (value.value = choice.value)}>
                    {choice.name}
                </button>
            ))}
        </span>
    );
}

export function DialectOptions({ dialects }: { dialects: readonly { name: string; title: string }[] }) {
    return dialects.map(({ name, title }) => (
        <option key={name} value={name}>
            {title} ({name})
        </option>
    ));
}
