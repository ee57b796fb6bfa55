import { effect, signal } from "@preact/signals";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** Pages from files may have no storage. */
function stored(): Theme {
    try {
        const name = localStorage.getItem("theme") as Theme;
        return THEMES.includes(name) ? name : "system";
    } catch {
        return "system";
    }
}
export const theme = signal<Theme>(stored());
effect(() => {
    document.documentElement.dataset["theme"] = theme.value;
    try {
        localStorage.setItem("theme", theme.value);
    } catch {
        // The default then returns at the next visit.
    }
});
export function nextTheme(): void {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!;
}
