// Compares two documents from a pair of schemas on, and keeps an account of what was compared.

import { identity } from "./normal.mjs";

/** How deep two members of a union are compared to find out which belong together. */
const DEPTH = 3;

/** What was compared, by its path on the first side, and the differences. */
export class Account {
    constructor() {
        this.definitions = new Set();
        this.properties = new Set();
        this.required = new Set();
        this.unions = new Set();
        this.values = new Set();
        this.differences = new Map();
    }

    differ(kind, path, ours, theirs) {
        const key = `${kind} ${path} ${ours} ${theirs}`;
        this.differences.set(key, { kind, path, ours, theirs });
    }
}

export class Comparison {
    constructor(ours, theirs, account) {
        this.ours = ours;
        this.theirs = theirs;
        this.account = account;
        this.seen = new Set();
    }

    /** Compares two schemas. `path` is where the first one stands, `depth` how far a trial still goes. */
    compare(one, two, place, depth = Infinity) {
        // What a reference means is counted once, where it is defined; what differs, where it is referred to.
        const path = this.#path(one, place);
        const [a, b] = [this.ours.form(one, path), this.theirs.form(two, path)];
        this.#note(one);
        if (a.any || b.any) {
            if (a.any !== b.any) this.account.differ("type", place, shown(a), shown(b));
            return;
        }
        const kinds = (form) =>
            [
                form.null && "null",
                form.boolean.size > 0 && "boolean",
                (form.anyNumber || form.numbers.size > 0) && "number",
                (form.anyText || form.texts.size + form.patterns.size > 0) && "string",
                form.lists.length > 0 && "array",
                form.objects.length > 0 && "object",
            ].filter(Boolean);
        this.#sets("type", place, kinds(a), kinds(b));
        if (kinds(a).length > 1 || a.objects.length > 1) this.account.unions.add(path);
        if (a.boolean.size > 0 && b.boolean.size > 0) this.#values(path, a.boolean, b.boolean);
        this.#open("number", path, a.anyNumber, b.anyNumber, a.numbers, b.numbers);
        this.#open("string", path, a.anyText, b.anyText, a.texts, b.texts);
        this.#sets("pattern", path, [...a.patterns], [...b.patterns]);
        this.#members("list", path, a.lists, b.lists, depth);
        this.#members("object", path, a.objects, b.objects, depth);
    }

    /** The path of what a schema means. */
    #path(schema, place) {
        let path = place;
        for (let at = schema; at?.$ref; ) ({ name: path, schema: at } = this.ours.target(at.$ref));
        return path;
    }

    #note(schema) {
        let reference = schema?.$ref;
        while (reference) {
            const { name, schema: target } = this.ours.target(reference);
            if (this.account.definitions.has(name)) return;
            this.account.definitions.add(name);
            for (const member of target.anyOf ?? target.oneOf ?? []) this.#note(member);
            reference = target.$ref;
        }
        for (const member of schema?.anyOf ?? schema?.oneOf ?? []) this.#note(member);
    }

    #sets(kind, path, one, two) {
        const text = (values) => values.map((value) => JSON.stringify(value)).sort().join(" ");
        const only = (values, others) => values.filter((value) => !others.includes(value));
        const [ours, theirs] = [text(only(one, two)), text(only(two, one))];
        if (ours || theirs) this.account.differ(kind, path, ours || "-", theirs || "-");
    }

    #values(path, one, two) {
        for (const value of one) this.account.values.add(`${path} ${JSON.stringify(value)}`);
        this.#sets("value", path, [...one], [...two]);
    }

    /** Constants, which say something only where not any value will do. */
    #open(kind, path, anyOne, anyTwo, one, two) {
        if (anyOne !== anyTwo && (anyOne || one.size > 0) && (anyTwo || two.size > 0)) {
            const said = (any, set) => (any ? `any ${kind}` : [...set].map((value) => JSON.stringify(value)).join(" "));
            this.account.differ("open", path, said(anyOne, one), said(anyTwo, two));
        } else if (one.size > 0 || two.size > 0) {
            if (anyOne && anyTwo) this.#sets("known-value", path, [...one], [...two]);
            else if (one.size > 0 && two.size > 0) this.#values(path, one, two);
        }
    }

    /** Members of unions, each compared with the one that it belongs to. */
    #members(kind, path, one, two, depth) {
        if (one.length === 0 || two.length === 0) return;
        if (one.length === 1 && two.length === 1) {
            this.#member(kind, one[0], two[0], depth);
            return;
        }
        if (depth <= 0) return;
        const left = new Set(two);
        const unmatched = [];
        const alike = (a, b) => this.signature(a, this.ours) === this.signature(b, this.theirs);
        const pairs = one.map((a) => [a, two.filter((b) => alike(a, b))]);
        const chosen = new Map();
        for (const [a, same] of pairs.toSorted((x, y) => x[1].length - y[1].length)) {
            const free = same.filter((b) => left.has(b));
            const best = free.length > 1 ? this.#nearest(kind, a, free) : free[0];
            if (best) {
                chosen.set(a, best);
                left.delete(best);
            } else {
                unmatched.push(a);
            }
        }
        for (const a of unmatched.slice()) {
            const best = this.#nearest(kind, a, [...left].filter((b) => this.#akin(a, b)));
            if (!best) continue;
            chosen.set(a, best);
            left.delete(best);
            unmatched.splice(unmatched.indexOf(a), 1);
        }
        for (const [a, b] of chosen) this.#member(kind, a, b, depth);
        // A member that repeats another one of its own side is no member more.
        const again = (member, members, document) =>
            members.find((other) => other !== member && same(document, member, other));
        for (const a of unmatched) {
            const twin = chosen.get(again(a, [...chosen.keys()], this.ours));
            if (twin) this.#member(kind, a, twin, depth);
            else this.account.differ("member", path, this.signature(a, this.ours), "-");
        }
        for (const b of left) {
            if (again(b, two, this.theirs)) continue;
            this.account.differ("member", path, "-", this.signature(b, this.theirs));
        }
    }

    /** Members that share most of their properties, and no constant that tells them apart. */
    #akin(a, b) {
        if (!a.properties) return true;
        const [names, others] = [[...a.properties.keys()], [...b.properties.keys()]];
        const shared = names.filter((name) => b.properties.has(name));
        const apart = shared.some((name) => {
            const [x, y] = [this.#constants(a, name, this.ours), this.#constants(b, name, this.theirs)];
            return x && y && !x.some((value) => y.includes(value));
        });
        return !apart && shared.length * 2 >= Math.max(names.length, others.length);
    }

    #constants(object, name, document) {
        const form = document.form(object.properties.get(name), `${object.path}.${name}`);
        const other = form.any || form.anyText || form.anyNumber || form.null || form.lists[0] || form.objects[0];
        const values = [...form.texts, ...form.numbers, ...form.boolean];
        return other || values.length === 0 ? undefined : values.map((value) => JSON.stringify(value)).sort();
    }

    /** What tells a member at sight: its properties, and the constants among them. */
    signature(member, document) {
        if (!member.properties) return bounds(member);
        const names = [...member.properties.keys()].sort().map((name) => {
            const constants = this.#constants(member, name, document);
            return `${name}${member.required.has(name) ? "" : "?"}${constants ? `=${constants.join("|")}` : ""}`;
        });
        return `{${names.join(", ")}}`;
    }

    #nearest(kind, a, candidates) {
        let best;
        for (const b of candidates) {
            const trial = new Comparison(this.ours, this.theirs, new Account());
            trial.#member(kind, a, b, DEPTH);
            const differences = trial.account.differences.size;
            if (!best || differences < best.differences) best = { b, differences };
        }
        return best?.b;
    }

    #member(kind, a, b, depth) {
        const pair = `${identity(a.schema)} ${identity(b.schema)} ${a.path}`;
        if (depth <= 0 || this.seen.has(pair)) return;
        this.seen.add(pair);
        if (kind === "list") this.#lists(a, b, depth - 1);
        else this.#objects(a, b, depth - 1);
    }

    #lists(a, b, depth) {
        if (bounds(a) !== bounds(b)) {
            this.account.differ("bounds", a.path, bounds(a), bounds(b));
            return;
        }
        a.places.forEach((place, index) => this.compare(place, b.places[index], `${a.path}[${index}]`, depth));
        if (a.items !== undefined || b.items !== undefined) {
            this.compare(a.items ?? false, b.items ?? false, `${a.path}[]`, depth);
        }
    }

    #objects(a, b, depth) {
        for (const name of new Set([...a.properties.keys(), ...b.properties.keys()])) {
            const path = `${a.path}.${name}`;
            if (!b.properties.has(name)) this.account.differ("property", path, "yes", "-");
            else if (!a.properties.has(name)) this.account.differ("property", path, "-", "yes");
            else {
                this.account.properties.add(path);
                if (a.required.has(name)) this.account.required.add(path);
                if (a.required.has(name) !== b.required.has(name)) {
                    const said = (object) => (object.required.has(name) ? "required" : "optional");
                    this.account.differ("required", path, said(a), said(b));
                }
                this.compare(a.properties.get(name), b.properties.get(name), path, depth);
            }
        }
        const path = `${a.path}.*`;
        if ((a.index === undefined) !== (b.index === undefined)) {
            const said = ({ index }) => (index === undefined ? "-" : JSON.stringify(index).slice(0, 80));
            this.account.differ("index", path, said(a), said(b));
        } else if (a.index !== undefined) {
            this.compare(a.index, b.index, path, depth);
        }
    }
}

/** All that there is to compare in a document: what a comparison with itself goes through. */
export function whole(document) {
    const account = new Account();
    const itself = new Comparison(document, document, account);
    for (const name of Object.keys(document.definitions)) {
        const reference = { $ref: `#/definitions/${name}` };
        itself.compare(reference, reference, name);
    }
    return account;
}

/** Whether two members of one document allow the same. */
function same(document, one, two) {
    const account = new Account();
    const pair = new Comparison(document, document, account);
    pair.compare(one.schema, two.schema, one.path, DEPTH + 2);
    return account.differences.size === 0;
}

function bounds({ least, most, places }) {
    return `${least} to ${most === Infinity ? "any" : most}, ${places.length} places`;
}

function shown(form) {
    if (form.any) return "anything";
    const kinds = [
        form.null && "null",
        form.boolean.size > 0 && "boolean",
        (form.anyNumber || form.numbers.size > 0) && "number",
        (form.anyText || form.texts.size + form.patterns.size > 0) && "string",
        form.lists.length > 0 && `${form.lists.length} lists`,
        form.objects.length > 0 && `${form.objects.length} objects`,
    ];
    return kinds.filter(Boolean).join(", ") || "nothing";
}
