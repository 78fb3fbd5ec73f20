// Known answers: the Model Context Protocol publishes its types in TypeScript and, beside them, a JSON Schema.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { Account, Comparison, whole } from "./compare.mjs";
import { Document } from "./normal.mjs";

/** The published schemas do not say which objects have members without a name, and `object` has any. */
const OPEN = { open: true };

/** What our reader makes of `schema.ts` against `schema.json`, for each date of the specification. */
export function* knownAnswers(specification, root, work) {
    const dates = readdirSync(join(specification, "schema")).filter((date) =>
        existsSync(join(specification, "schema", date, "schema.ts")),
    );
    if (dates.length === 0) throw new Error(`${specification} has no schema/<date>/schema.ts`);
    for (const date of dates.sort()) {
        const folder = join(specification, "schema", date);
        const published = JSON.parse(readFileSync(join(folder, "schema.json"), "utf8"));
        const ours = new Document("our dump", read(folder, date, root, join(work, `specification-${date}`)), OPEN);
        const theirs = new Document("schema.json", published.definitions ?? published.$defs, OPEN);
        const account = new Account();
        account.all = whole(ours);
        for (const name of new Set([...Object.keys(ours.definitions), ...Object.keys(theirs.definitions)])) {
            const [here, there] = [ours, theirs].map((side) => Object.hasOwn(side.definitions, name));
            const said = (has) => (has ? "yes" : "-");
            if (here && there) {
                const reference = { $ref: `#/definitions/${name}` };
                new Comparison(ours, theirs, account).compare(reference, reference, name);
            } else {
                account.differ("definition", name, said(here), said(there));
            }
        }
        yield { title: `specification ${date}`, account, file: join(folder, "schema.ts") };
    }
}

function read(folder, date, root, out) {
    mkdirSync(out, { recursive: true });
    const request = join(out, "request.json");
    const about = { name: "specification", version: date, integrity: "", licence: "" };
    writeFileSync(
        request,
        JSON.stringify({ package: { ...about, folder }, externals: [], roots: [{ file: "schema.ts", types: ["*"] }] }),
    );
    const cargo = ["run", "--quiet", "--release", "--package", "agentwire-typescript", "--", request, out];
    const reader = spawnSync("cargo", cargo, { cwd: root, encoding: "utf8" });
    if (reader.status !== 0) throw new Error(`schema.ts of ${date} has no reading: ${reader.error ?? reader.stderr}`);
    return JSON.parse(readFileSync(join(out, "types.json"), "utf8")).definitions;
}
