// The share of the bytes: the parts of a value as areas of their sizes.
import { useSignal } from "@preact/signals";
import { hierarchy, treemap, treemapSquarify } from "d3-hierarchy";
import { useEffect } from "preact/hooks";
import type { Ref, Space } from "../worker/shown";
import type { OpenFile } from "./files";
import { bytes as sizeText } from "./format";
import { useSize } from "./size";
import { useAnswer } from "./use_answer";

export function SpaceView({ file }: { file: OpenFile }) {
    const { value: version } = file.version;
    const at = useSignal<{ ref: Ref | undefined; name: string }[]>([{ ref: undefined, name: "All" }]);
    const [box, area] = useSize();
    const here = at.value[at.value.length - 1]!;
    useEffect(() => {
        at.value = [{ ref: undefined, name: "All" }];
    }, [file, version]);
    const space = useAnswer(() => file.ask((it) => it.space(file.id, here.ref)), [file, version, here], true);
    const go = (part: Space) => {
        if (part.ref === undefined) return;
        void file.select(part.ref);
        if (part.opens) at.value = [...at.value, { ref: part.ref, name: part.label }];
    };
    return (
        <section class="panel" aria-label="Space">
            <header class="panel-head">
                <nav class="crumbs" aria-label="Shown value">
                    {at.value.map((step, i) => (
                        <button key={i} class="quiet" aria-current={i === at.value.length - 1} onClick={() => (at.value = at.value.slice(0, i + 1))}>
                            {step.name}
                        </button>
                    ))}
                </nav>
                <span class="muted">
                    {space.value !== undefined && sizeText(space.value.size)}
                    {file.facts.value.isText && " as a packet; the text has other sizes"}
                </span>
            </header>
            <div class="space" ref={box}>
                {space.value !== undefined && area.width > 0 && <Areas space={space.value} {...area} onPick={go} />}
            </div>
        </section>
    );
}

function Areas({ space, width, height, onPick }: { space: Space; width: number; height: number; onPick: (part: Space) => void }) {
    if (space.children.length === 0) return <p class="muted pad">This value has no parts.</p>;
    const sum = (part: Space): number => part.children.reduce((total, child) => total + child.size, 0);
    const root = hierarchy(space, (part) => part.children).sum((part) => Math.max(0, part.size - sum(part)));
    const laid = treemap<Space>().tile(treemapSquarify).size([width, height]).paddingInner(2).paddingTop((node) => (node.depth === 1 && node.children ? 18 : 0)).round(true)(root);
    return (
        <>
            {laid.descendants().map((node, i) => {
                if (node.depth === 0) return null;
                const [w, h] = [node.x1 - node.x0, node.y1 - node.y0];
                if (w < 3 || h < 3) return null;
                const { data } = node;
                const said = `${data.label}: ${sizeText(data.size)}${data.type === "" ? "" : `, ${data.type}`}`;
                return (
                    <button
                        key={i}
                        class={`area depth${node.depth} ${data.look}`}
                        style={{ left: `${node.x0}px`, top: `${node.y0}px`, width: `${w}px`, height: `${h}px` }}
                        title={said}
                        disabled={data.ref === undefined}
                        tabIndex={node.depth === 1 ? 0 : -1}
                        onClick={() => onPick(data)}
                    >
                        {w > 44 && h > 15 && <span class="area-label">{data.label}</span>}
                        {w > 60 && h > 34 && node.children === undefined && <span class="area-size">{sizeText(data.size)}</span>}
                    </button>
                );
            })}
        </>
    );
}
