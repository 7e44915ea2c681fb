import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

/** A new folder, which is gone when the program ends. */
export function newFolder(name) {
    const folder = mkdtempSync(`${tmpdir()}/tsumero-${name}-`);
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
}
