import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

/** A ref for the element, and its width in pixels, also after changes. */
export function useWidth(): [{ current: HTMLDivElement | null }, number] {
    const box = useRef<HTMLDivElement>(null);
    const width = useSignal(0);
    useLayoutEffect(() => {
        const observer = new ResizeObserver(([entry]) => (width.value = entry!.contentRect.width));
        observer.observe(box.current!);
        return () => observer.disconnect();
    }, []);
    return [box, width.value];
}
