import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

/** A ref for the element, and its size in pixels, also after changes. */
export function useSize(): [{ current: HTMLDivElement | null }, { width: number; height: number }] {
    const box = useRef<HTMLDivElement>(null);
    const size = useSignal({ width: 0, height: 0 });
    useLayoutEffect(() => {
        const observer = new ResizeObserver(([entry]) => {
            const { width, height } = entry!.contentRect;
            size.value = { width, height };
        });
        observer.observe(box.current!);
        return () => observer.disconnect();
    }, []);
    return [box, size.value];
}
