// A list that has only the rows in view. Browsers end at some 30 million pixels: a longer list scrolls by its share of a
// shorter one, and the wheel by its rows.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const MOST_PIXELS = 8_000_000;
/** Rows rendered above and below the view. */
const AROUND = 12;

interface Props extends Omit<JSX.HTMLAttributes<HTMLDivElement>, "ref"> {
    total: number;
    rowHeight: number;
    row: (index: number) => ComponentChildren;
    onRange?: (first: number, last: number) => void;
    /** A row to scroll to; another object requests it again. */
    show?: { index: number } | undefined;
    /** Puts the row into the middle if it is out of view; else to the nearest edge. */
    centre?: boolean;
}

export function Virtual({ total, rowHeight, row, onRange, show, centre = false, ...rest }: Props) {
    const box = useRef<HTMLDivElement>(null);
    const [view, setView] = useState({ offset: 0, top: 0, height: 600 });
    const height = total * rowHeight;
    const pixels = Math.min(height, MOST_PIXELS);
    const isScaled = pixels < height;
    // Rows of the list for a pixel of the box.
    const scale = (seen: number) => (isScaled ? (height - seen) / Math.max(1, pixels - seen) : 1);

    const put = (offset: number, top: number, seen: number) => {
        if (offset !== view.offset || top !== view.top || seen !== view.height) setView({ offset, top, height: seen });
    };
    const look = (offset?: number) => {
        const { current } = box;
        if (current === null) return;
        const seen = current.clientHeight;
        if (offset !== undefined) {
            const kept = Math.max(0, Math.min(offset, height - seen));
            current.scrollTop = kept / scale(seen);
            put(kept, current.scrollTop, seen);
            return;
        }
        // The event of a position set here brings nothing new.
        if (isScaled && Math.abs(current.scrollTop - view.top) < 1 && seen === view.height) return;
        put(current.scrollTop * scale(seen), current.scrollTop, seen);
    };
    // The function of the last drawing, which knows the list's position.
    const resized = useRef(() => {});
    resized.current = () => look(view.offset);
    useLayoutEffect(() => {
        const observer = new ResizeObserver(() => resized.current());
        observer.observe(box.current!);
        return () => observer.disconnect();
    }, []);
    useEffect(() => {
        if (show === undefined || box.current === null) return;
        const seen = box.current.clientHeight;
        const at = show.index * rowHeight;
        if (at >= view.offset && at + rowHeight <= view.offset + seen) return;
        const isFar = at < view.offset - seen || at > view.offset + 2 * seen;
        if (centre || isFar) look(at - seen / 2 + rowHeight);
        else look(at < view.offset ? at : at + rowHeight - seen);
    }, [show]);
    useEffect(() => {
        const { current } = box;
        if (!isScaled || current === null) return;
        const turn = (event: WheelEvent) => {
            if (event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
            event.preventDefault();
            const unit = event.deltaMode === 1 ? rowHeight : event.deltaMode === 2 ? current.clientHeight : 1;
            look(view.offset + event.deltaY * unit);
        };
        current.addEventListener("wheel", turn, { passive: false });
        return () => current.removeEventListener("wheel", turn);
    });

    const offset = Math.max(0, Math.min(view.offset, height - view.height));
    const first = Math.max(0, Math.floor(offset / rowHeight) - AROUND);
    const last = Math.min(total - 1, Math.ceil((offset + view.height) / rowHeight) + AROUND);
    useEffect(() => {
        if (total > 0) onRange?.(first, last);
    }, [first, last, total, onRange]);

    const rows: ComponentChildren[] = [];
    for (let index = first; index <= last; ++index) {
        const y = isScaled ? view.top + index * rowHeight - offset : index * rowHeight;
        rows.push(
            <div key={index} class="virtual-row" role="presentation" style={{ transform: `translateY(${y}px)`, height: `${rowHeight}px` }}>
                {row(index)}
            </div>,
        );
    }
    return (
        <div {...rest} ref={box} class={`virtual ${rest.class ?? ""}`} onScroll={() => look()}>
            <div class="virtual-space" role="presentation" style={{ height: `${pixels}px` }}>
                {rows}
            </div>
        </div>
    );
}
