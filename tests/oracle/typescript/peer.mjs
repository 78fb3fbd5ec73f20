// The other reader, ts-json-schema-generator, and the packages that it reads: both fetched by npm into a folder.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Installs what a package.json asks for, without running anything of it. */
export function install(folder, manifest) {
    mkdirSync(folder, { recursive: true });
    const [path, text] = [join(folder, "package.json"), `${JSON.stringify(manifest, null, 4)}\n`];
    const lock = join(folder, "node_modules/.package-lock.json");
    if (existsSync(lock) && existsSync(path) && readFileSync(path, "utf8") === text) return;
    writeFileSync(path, text);
    const quiet = ["--no-audit", "--no-fund", "--silent"];
    const options = ["--ignore-scripts", "--omit=optional", "--legacy-peer-deps", ...quiet];
    const npm = spawnSync("npm", ["install", ...options], { cwd: folder, encoding: "utf8" });
    if (npm.status !== 0) throw new Error(`npm install in ${folder} failed: ${npm.error ?? npm.stderr}`);
}

/** Installs the packages that a dump was made from, and checks that they are these very ones. */
export function packages(folder, dump) {
    const wanted = [dump, ...dump.externals];
    const dependencies = Object.fromEntries(wanted.map(({ package: name, version }) => [name, version]));
    install(folder, { private: true, dependencies });
    const lock = JSON.parse(readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8"));
    for (const { package: name, version, integrity } of wanted) {
        const found = lock.packages[`node_modules/${name}`];
        if (found?.version !== version || found.integrity !== integrity) {
            throw new Error(`${name}@${version} is not the package that the dump was made from: ${found?.integrity}`);
        }
    }
    return join(folder, "node_modules", dump.package);
}

/** A program of one file of declarations, from which schemas of its types are asked. */
export class Peer {
    /** `change` makes another text of the file's: it declares, say, what the package forgot. */
    constructor(folder, file, change = (text) => text) {
        const require = createRequire(join(folder, "package.json"));
        this.ts = require("typescript");
        this.generator = require("ts-json-schema-generator");
        this.file = file;
        const options = {
            module: this.ts.ModuleKind.NodeNext,
            moduleResolution: this.ts.ModuleResolutionKind.NodeNext,
            noEmit: true,
            skipLibCheck: true,
            strict: true,
            target: this.ts.ScriptTarget.ES2022,
            typeRoots: [join(folder, "node_modules/@types")],
            types: ["node"],
        };
        const host = this.ts.createCompilerHost(options);
        const source = host.getSourceFile.bind(host);
        host.getSourceFile = (path, version, ...rest) =>
            path === file
                ? this.ts.createSourceFile(path, change(host.readFile(path)), version, true)
                : source(path, version, ...rest);
        this.program = this.ts.createProgram([file], options, host);
    }

    /** What the compiler makes of a type of the file, written out; it may be one that the file imports. */
    written(name) {
        const source = this.program.getSourceFile(this.file);
        const checker = this.program.getTypeChecker();
        const type = (symbol) => checker.getDeclaredTypeOfSymbol(symbol);
        for (const statement of source.statements) {
            if (this.ts.isTypeAliasDeclaration(statement) && statement.name.text === name) {
                return this.#text(type(checker.getSymbolAtLocation(statement.name)));
            }
            const imported = statement.importClause?.namedBindings?.elements ?? [];
            const one = imported.find((element) => element.name.text === name);
            if (one) return this.#text(type(checker.getAliasedSymbol(checker.getSymbolAtLocation(one.name))));
        }
        throw new Error(`${this.file} neither declares nor imports ${name}`);
    }

    /** The arguments and the result of a function of the file, written out. */
    call(name) {
        const checker = this.program.getTypeChecker();
        const source = this.program.getSourceFile(this.file);
        const alias = source.statements.find(
            (statement) => this.ts.isTypeAliasDeclaration(statement) && statement.name.text === name,
        );
        const [signature] = checker.getTypeAtLocation(alias).getCallSignatures();
        const places = signature.parameters.map((place) => this.#text(checker.getTypeOfSymbolAtLocation(place, alias)));
        return { places, result: this.#text(checker.getAwaitedType(signature.getReturnType())) };
    }

    #text(type) {
        const { NoTruncation, InTypeAlias } = this.ts.TypeFormatFlags;
        const source = this.program.getSourceFile(this.file);
        return this.program.getTypeChecker().typeToString(type, source, NoTruncation | InTypeAlias);
    }

    /** The schema of one type: `{ schema }`, or `{ failure }` where it stops or says nothing. */
    ask(type) {
        try {
            // One failure leaves a generator unfit for the next question.
            const generator = this.generator.createGenerator({
                additionalProperties: false,
                encodeRefs: false,
                expose: "all",
                functions: "hide",
                jsDoc: "none",
                path: this.file,
                skipTypeCheck: true,
                tsProgram: this.program,
            });
            const schema = generator.createSchema(type);
            const root = schema.definitions?.[type];
            if (root && Object.keys(root).length === 0) return { failure: "an empty schema" };
            return { schema };
        } catch (error) {
            return { failure: `${error.constructor.name}: ${String(error.message).split("\n")[0]}` };
        }
    }
}
