import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { OpenFile } from "./files";
import { Switch } from "./parts";

const SECRETS = [{ name: "Password", value: false }, { name: "Key", value: true }];

/** Asks for the password or key of an encrypted file. */
export function Unlock({ file }: { file: OpenFile }) {
    const { value: facts } = file.facts;
    const secret = useSignal("");
    const isKey = useSignal(facts.isPack);
    const isShown = useSignal(false);
    const tried = useSignal(0);
    const input = useRef<HTMLInputElement>(null);
    useLayoutEffect(() => input.current?.focus(), []);
    // Keys as people write them: 0x in front, spaces, colons or commas between the bytes.
    const digits = secret.value.replace(/0x|[\s:,-]/gi, "");
    const isBadKey = isKey.value && secret.value !== "" && !/^[0-9a-fA-F]{64}$/.test(digits);
    const open = async (force: boolean) => {
        await file.openWith({ ...(isKey.value ? { key: digits, password: "" } : { password: secret.value, key: "" }), force });
        ++tried.value;
    };
    const put = (event: Event) => {
        event.preventDefault();
        if (secret.value !== "" && !isBadKey && file.busy.value === "") void open(false);
    };
    return (
        <form class="unlock" onSubmit={put}>
            <h2>{facts.isPack ? "This pack is encrypted" : facts.inside === "" ? "This save is encrypted" : "What is inside is encrypted"}</h2>
            {facts.isPack ? (
                <p>The game's export has the key: whoever exported the game has set it as its encryption key, 64 hex digits.</p>
            ) : (
                <p>
                    The game has the password: it stands in its scripts, in the call of <code>FileAccess.open_encrypted_with_pass</code> or{" "}
                    <code>ConfigFile.load_encrypted_pass</code>.
                </p>
            )}
            <Switch label="It opens with" choices={SECRETS} value={isKey} />
            <label>
                {isKey.value ? "Key, 64 hex digits" : "Password"}
                <input
                    ref={input}
                    type={isKey.value || isShown.value ? "text" : "password"}
                    autocomplete="off"
                    spellcheck={false}
                    value={secret.value}
                    onInput={(event) => (secret.value = event.currentTarget.value)}
                />
            </label>
            {isBadKey && <p class="muted">A key has 64 hex digits; these are {digits.length.toLocaleString("en")} characters.</p>}
            {tried.value > 0 && file.busy.value === "" && (
                <p class="note bad" role="alert">
                    That does not open it: {facts.refusal?.message}
                </p>
            )}
            <div class="actions">
                <button class="primary" disabled={secret.value === "" || isBadKey || file.busy.value !== ""}>
                    Open
                </button>
                {!isKey.value && (
                    <button type="button" aria-pressed={isShown.value} onClick={() => (isShown.value = !isShown.value)}>
                        {isShown.value ? "Hide what is typed" : "Show what is typed"}
                    </button>
                )}
                {tried.value > 0 && facts.refusal?.code === "bad_checksum" && (
                    <button type="button" onClick={() => void open(true)}>
                        The {isKey.value ? "key" : "password"} is right: read what is left of a damaged file
                    </button>
                )}
            </div>
        </form>
    );
}
