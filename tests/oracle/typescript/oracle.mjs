// node oracle.mjs [--work DIR] [--specification DIR]: compares the vendored dumps of TypeScript declarations
// with what ts-json-schema-generator makes of the same packages. See README.md.

import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { Account, Comparison, whole } from "./compare.mjs";
import { knownAnswers } from "./known.mjs";
import { Document } from "./normal.mjs";
import { Peer, install, packages } from "./peer.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, "../../..");

const { values: options } = parseArgs({
    options: { work: { type: "string" }, specification: { type: "string" }, verbose: { type: "boolean" } },
});
const work = resolve(options.work ?? mkdtempSync(join(tmpdir(), "oracle-")));
const explained = JSON.parse(readFileSync(join(HERE, "explained.json"), "utf8")).map((rule) => ({ ...rule, count: 0 }));
let failed = false;

install(join(work, "peer"), JSON.parse(readFileSync(join(HERE, "package.json"), "utf8")));
for (const version of readdirSync(join(ROOT, "schemas/claude")).sort()) {
    const dump = JSON.parse(readFileSync(join(ROOT, "schemas/claude", version, "types.json"), "utf8"));
    const folder = packages(join(work, `claude-${version}`), dump);
    report(`claude ${version}`, againstPeer(dump, folder), join(folder, "sdk.d.ts"));
}
if (options.specification) {
    for (const { title, account, file } of knownAnswers(resolve(options.specification), ROOT, work)) {
        report(title, account, file);
    }
} else {
    console.log("\nno --specification DIR: the known answers of the Model Context Protocol were not compared");
}
for (const { rule, count, needs } of explained) {
    const asked = needs !== "specification" || options.specification;
    if (count > 0 || !asked) continue;
    console.log(`the explanation \`${rule}\` explains nothing any more: remove it`);
    failed = true;
}
process.exitCode = failed ? 1 : 0;

/** Compares every root. What the other reader says of the package as it is published is printed beside it. */
function againstPeer(dump, folder) {
    const ours = new Document("our dump", dump.definitions);
    const account = new Account();
    console.log();
    for (const [file, asked] of Object.entries(dump.roots)) {
        const path = join(folder, file);
        const published = new Peer(join(work, "peer"), path);
        const completed = new Peer(join(work, "peer"), path, completion(published, dump, asked));
        for (const { shown, type } of asked.flatMap((root) => names(root, ours.definitions))) {
            // A call has no name in the package: it is only asked for where it was written out.
            const before = type === shown ? published.ask(type) : {};
            const { schema, failure } = completed.ask(type);
            const said = [before.failure, `${before.failure ? "completed: " : ""}${failure ?? "read"}`];
            console.log(`claude ${dump.version} ${shown}: ${said.filter(Boolean).join("; ")}`);
            if (schema) compare(ours, shown, schema, type, account);
            else failed = true;
        }
    }
    account.all = whole(ours);
    return account;
}

function compare(ours, name, schema, type, account) {
    const theirs = new Document("the other reader", schema.definitions);
    const comparison = new Comparison(ours, theirs, account);
    const reference = (definition) => ({ $ref: `#/definitions/${definition}` });
    const pair = (one, two) => comparison.compare(reference(one), reference(two), one);
    pair(name, type);
    // A union within a union is compared as part of that one, and by itself where both sides have its name.
    for (const own of Object.keys(ours.definitions)) {
        const plain = own.slice(own.lastIndexOf(".") + 1);
        if (Object.hasOwn(theirs.definitions, plain)) pair(own, plain);
    }
}

/** The names that an entry of the roots stands for: of the dump, and of the declarations. */
function names(root, definitions) {
    if (root.endsWith("()")) {
        const name = root.slice(0, -2);
        return ["arguments", "result"].map((part) => ({ shown: `${name}.${part}`, type: `${name}_${part}` }));
    }
    if (!root.includes("*")) return [{ shown: root, type: root }];
    const form = new RegExp(`^${root.replaceAll("*", "\\w*")}$`);
    return Object.keys(definitions).filter((name) => form.test(name)).map((name) => ({ shown: name, type: name }));
}

/**
 * What makes a file readable for the other reader: declarations of what is declared nowhere, with the constants
 * that were decided; no namespace that is imported from nowhere; and, written out by the compiler, functions,
 * and what zod's classes stand for, at which it stops.
 */
function completion(published, dump, asked) {
    const functions = asked.filter((root) => root.endsWith("()")).map((root) => root.slice(0, -2));
    const calls = functions.flatMap((name) => {
        const { places, result } = published.call(name);
        return [
            `export type ${name}_arguments = [${places.join(", ")}];`,
            `export type ${name}_result = ${result};`,
        ];
    });
    const undeclared = dump.undeclared.map((name) => {
        const tags = Object.entries(dump.definitions[name].properties);
        const members = tags.map(([key, tag]) => `${key}: ${JSON.stringify(tag.const)}`);
        return `export type ${name} = { ${members.join("; ")} };`;
    });
    const zod = /^import type \{ (\w+) \} from '@modelcontextprotocol\/sdk\/types.js';$/gm;
    return (text) => {
        const complete = text
            .replaceAll(zod, (_, name) => `type ${name} = ${published.written(name)};`)
            .replaceAll("coreTypes.", "");
        return [complete, ...undeclared, ...calls, ""].join("\n");
    };
}

/** The proofs that the compiler does not hold true: each is a type, to be read beside those of a file. */
function unproven(proofs, file) {
    if (proofs.length === 0) return [];
    const lines = proofs.map((proof, index) => `export type Proof_${index} = ${proof};`).join("\n");
    const compiler = new Peer(join(work, "peer"), file, (text) => `${text}\n${lines}\n`);
    return proofs.filter((_, index) => compiler.written(`Proof_${index}`) !== "true");
}

/** Prints what was compared and each difference; one without an explanation is a failure. */
function report(title, account, file) {
    const parts = ["definitions", "properties", "required", "unions", "values"];
    const counts = parts.map((part) => `${account[part].size} of ${account.all[part].size} ${part}`);
    console.log(`\n${title}: ${counts.join(", ")}`);
    for (const part of parts) {
        const not = [...account.all[part]].filter((path) => !account[part].has(path));
        if (not.length > 0) console.log(`  ${part} not compared: ${not.join(", ")}`);
    }
    if (account.properties.size === 0) failed = true;

    const explanations = new Map();
    const proofs = new Set();
    for (const difference of account.differences.values()) {
        const rule = explained.find((rule) => explains(rule, title, difference));
        if (rule) {
            rule.count += 1;
            explanations.set(rule.rule, (explanations.get(rule.rule) ?? 0) + 1);
            const property = difference.path.split(".").at(-1);
            for (const proof of rule.proofs ?? []) proofs.add(proof.replaceAll("{property}", property));
            if (!options.verbose) continue;
        } else {
            failed = true;
        }
        const { kind, path, ours, theirs } = difference;
        console.log(`  ${rule ? rule.rule : "UNEXPLAINED"}: ${kind} ${path}: ours ${ours}, theirs ${theirs}`);
    }
    for (const proof of unproven([...proofs], file)) {
        console.log(`  the compiler does not hold this true: ${proof}`);
        failed = true;
    }
    const all = account.differences.size;
    const open = all - [...explanations.values()].reduce((sum, count) => sum + count, 0);
    console.log(`  ${all} differences, ${open} unexplained, ${proofs.size} proofs by the compiler`);
    for (const [rule, count] of explanations) console.log(`  ${count} by \`${rule}\``);
}

function explains(rule, title, difference) {
    return Object.entries(rule.where).every(([key, form]) =>
        new RegExp(`^(?:${form})$`, "s").test(key === "of" ? title : difference[key]),
    );
}
