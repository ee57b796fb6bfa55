/** Asks for files; none if nothing was chosen. */
export function pickFiles(several = true): Promise<File[]> {
    return new Promise((take) => {
        const input = document.createElement("input");
        input.type = "file";
        input.multiple = several;
        input.onchange = () => take([...(input.files ?? [])]);
        input.oncancel = () => take([]);
        input.click();
    });
}
