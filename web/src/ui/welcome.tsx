import { openFiles } from "./files";
import { pickFiles } from "./pick";
import example from "../../../tests/data/saves/godot-4.6.3/plain.save?inline";

export function Welcome() {
    const open = async () => openFiles(await pickFiles());
    const show = async () => {
        // The page contains it as a data: address, which the page's policy forbids to fetch.
        const bytes = Uint8Array.from(atob(example.slice(example.indexOf(",") + 1)), (unit) => unit.charCodeAt(0));
        await openFiles([{ name: "example.save", blob: new Blob([bytes]) }]);
    };
    return (
        <main class="welcome">
            <div class="drop-zone">
                <h1>Open a save of a Godot game</h1>
                <p>Drop files here, or</p>
                <p class="actions">
                    <button class="primary large" onClick={() => void open()}>
                        Choose files…
                    </button>
                    <button class="large" onClick={() => void show()}>
                        Look at an example
                    </button>
                </p>
                <p class="muted">Nothing is uploaded. The file stays on this device; the page works without a network, too.</p>
            </div>
            <ul class="what">
                <li>
                    <strong>Any save.</strong> Godot 1 to 4 and Pandemonium: <code>store_var</code>, packets, ConfigFile, JSON, <code>.tres</code>,{" "}
                    <code>project.binary</code>; encrypted, compressed, in Base64, in any order.
                </li>
                <li>
                    <strong>Every byte.</strong> Values and bytes side by side. All that you do not change stays as it was, to the last byte.
                </li>
                <li>
                    <strong>Damaged ones, too.</strong> You see what can still be read, and save it as a sound file.
                </li>
            </ul>
        </main>
    );
}
