import type { Refusal } from "../worker/shown";

/** Why something was refused, and a remedy. */
export function RefusalNote({ refusal, onType }: { refusal: Refusal; onType?: () => void }) {
    return (
        <div class="note bad" role="alert">
            <span>
                {refusal.message} <code>{refusal.code}</code>
            </span>
            {refusal.needsType && onType !== undefined && (
                <button type="button" class="small" onClick={onType}>
                    Change the type
                </button>
            )}
        </div>
    );
}
