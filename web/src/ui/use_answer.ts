import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/**
 * The answer to a question, which is asked anew when `inputs` change. Undefined until it has come, and if nothing is asked; `keeps`: the
 * old answer stays until then.
 */
export function useAnswer<T>(question: () => Promise<T> | undefined, inputs: readonly unknown[], keeps = false): Signal<T | undefined> {
    const answer = useSignal<T | undefined>(undefined);
    useEffect(() => {
        let isOver = false;
        if (!keeps) answer.value = undefined;
        void question()?.then((got) => {
            if (!isOver) answer.value = got;
        });
        return () => {
            isOver = true;
        };
    }, inputs);
    return answer;
}
