// One normal form for schemas that two readers wrote, each in its own way: what values they allow, by kind.

/** Keywords that say nothing about values, and markers of ours. */
const ANNOTATIONS = new Set([
    "$comment", "$id", "$schema", "default", "definitions", "$defs", "deprecated", "description", "examples",
    "format", "maximum", "minimum", "title", "x-tag",
]);
const KNOWN = new Set([
    "$ref", "additionalItems", "additionalProperties", "allOf", "anyOf", "const", "enum", "items",
    "maxItems", "minItems", "not", "oneOf", "pattern", "prefixItems", "properties", "required", "type",
    "x-known-values",
]);

const numbers = new WeakMap();
let next = 0;

/** A number for a schema object, the same whenever it is asked for. */
export function identity(schema) {
    if (!numbers.has(schema)) numbers.set(schema, next++);
    return numbers.get(schema);
}

/** A document with definitions, read by one rule for both sides. */
export class Document {
    /** Where `open` holds, an object that allows anything beside its properties is like one that does not say. */
    constructor(name, definitions, { open = false } = {}) {
        this.name = name;
        this.definitions = definitions;
        this.open = open;
        this.forms = new WeakMap();
    }

    /** The schema that a reference means, and the name of its definition. */
    target(reference) {
        const name = decodeURIComponent(reference.replace(/^#\/(definitions|\$defs)\//, ""));
        if (!Object.hasOwn(this.definitions, name)) {
            throw new Error(`${this.name} refers to ${reference}, which it does not define`);
        }
        return { name, schema: this.definitions[name] };
    }

    /** The normal form of a schema: unions flattened through references, constants as sets. */
    form(schema, path) {
        const known = typeof schema === "object" ? this.forms.get(schema) : undefined;
        if (known) return known;
        const form = {
            any: false, null: false, boolean: new Set(), numbers: new Set(), anyNumber: false, texts: new Set(),
            anyText: false, patterns: new Set(), objects: [], lists: [],
        };
        this.#add(form, schema, path, new Set());
        form.objects = distinct(form.objects);
        form.lists = joined(form.lists);
        if (typeof schema === "object") this.forms.set(schema, form);
        return form;
    }

    #add(form, schema, path, open) {
        if (schema === true) {
            form.any = true;
            return;
        }
        if (schema === false) return;
        for (const key of Object.keys(schema)) {
            if (!KNOWN.has(key) && !ANNOTATIONS.has(key)) {
                throw new Error(`${this.name}: ${path}: no rule for the keyword ${key}`);
            }
        }
        const said = Object.keys(schema).filter((key) => !ANNOTATIONS.has(key));
        const alone = (key) => said.length === 1 && said[0] === key;
        if (said.length === 0) {
            form.any = true;
        } else if ("$ref" in schema) {
            this.#only(alone("$ref"), path, said);
            const { name, schema: target } = this.target(schema.$ref);
            if (open.has(name)) return;
            this.#add(form, target, name, new Set(open).add(name));
        } else if (schema.anyOf || schema.oneOf) {
            this.#only(said.length === 1, path, said);
            const members = schema.anyOf ?? schema.oneOf;
            members.forEach((member, index) => this.#add(form, member, `${path}|${index}`, open));
        } else if (schema.allOf) {
            this.#only(said.length === 1, path, said);
            this.#add(form, this.#merged(schema.allOf, path), path, open);
        } else if ("not" in schema) {
            this.#only(alone("not") && JSON.stringify(schema.not) === "{}", path, said);
        } else if ("const" in schema) {
            this.#constant(form, schema.const);
        } else if ("enum" in schema) {
            for (const value of schema.enum) this.#constant(form, value);
        } else if (Array.isArray(schema.type)) {
            for (const type of schema.type) this.#add(form, { ...schema, type }, path, open);
        } else {
            this.#kind(form, schema, path);
        }
    }

    #only(holds, path, said) {
        if (!holds) throw new Error(`${this.name}: ${path}: no rule for ${said.join(" beside ")}`);
    }

    #constant(form, value) {
        if (value === null) form.null = true;
        else if (typeof value === "boolean") form.boolean.add(value);
        else if (typeof value === "number") form.numbers.add(value);
        else form.texts.add(value);
    }

    #kind(form, schema, path) {
        switch (schema.type) {
            case "null":
                form.null = true;
                return;
            case "boolean":
                form.boolean.add(true).add(false);
                return;
            case "integer":
            case "number":
                form.anyNumber = true;
                return;
            case "string":
                for (const text of schema["x-known-values"] ?? []) form.texts.add(text);
                if (schema.pattern === undefined) form.anyText = true;
                else form.patterns.add(schema.pattern);
                return;
            case "array":
                form.lists.push(list(schema, path));
                return;
            case "object":
                form.objects.push(this.#object(schema, path));
                return;
            default:
                throw new Error(`${this.name}: ${path}: no rule for the type ${schema.type}`);
        }
    }

    /** An object; `false` for members that have no name is what both sides mean by saying nothing. */
    #object(schema, path) {
        const index = schema.additionalProperties;
        return {
            path,
            schema,
            properties: new Map(Object.entries(schema.properties ?? {})),
            required: new Set(schema.required ?? []),
            index: index === false || (this.open && (index === true || isEmpty(index))) ? undefined : index,
        };
    }

    /** An intersection of objects is one object, one of a kind and a constant of it the constant. */
    #merged(parts, path) {
        const forms = parts.map((part) => this.form(part, path));
        const constants = parts.filter((part) => "const" in part || "enum" in part);
        if (constants.length > 0 && forms.every(({ objects, lists }) => objects.length + lists.length === 0)) {
            this.#only(constants.length === 1, path, ["allOf"]);
            return constants[0];
        }
        const merged = { type: "object", properties: {}, required: [] };
        for (const { objects, any, lists } of forms) {
            this.#only(objects.length === 1 && !any && lists.length === 0, path, ["allOf"]);
            const [object] = objects;
            for (const [name, schema] of object.properties) {
                const before = merged.properties[name];
                const vague = before === undefined || this.form(before, path).any;
                merged.properties[name] = vague ? schema : { allOf: [before, schema] };
            }
            merged.required.push(...object.required);
            if (object.index !== undefined) merged.additionalProperties = object.index;
        }
        return merged;
    }
}

function isEmpty(schema) {
    return typeof schema === "object" && schema !== null && Object.keys(schema).every((key) => ANNOTATIONS.has(key));
}

/** A list: the items of its first places, of the others, and how many there may be. */
function list(schema, path) {
    const tuple = schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : undefined);
    const rest = tuple ? (schema.prefixItems ? schema.items : schema.additionalItems) : schema.items;
    const most = schema.maxItems ?? (tuple && (rest === undefined || rest === false) ? tuple.length : Infinity);
    const bounds = { path, schema, least: schema.minItems ?? 0, most };
    if (!tuple) return { ...bounds, places: [], items: rest ?? true };
    const all = rest === undefined || rest === false ? tuple : [...tuple, rest];
    const alike = all.every((place) => JSON.stringify(place) === JSON.stringify(all[0]));
    if (alike && all.length > 0) return { ...bounds, places: [], items: all[0] };
    return { ...bounds, places: tuple, items: rest };
}

/** What a union reaches by two ways is one member. */
function distinct(objects) {
    const seen = new Set();
    return objects.filter(({ path }) => !seen.has(path) && seen.add(path));
}

/** Lists of the same items whose bounds meet are one list: `[T] | [T, T]` is a list of one to two. */
function joined(lists) {
    const kept = [];
    for (const list of lists.toSorted((one, two) => one.least - two.least)) {
        const same = kept.find(
            (other) =>
                list.places.length === 0 &&
                other.places.length === 0 &&
                JSON.stringify(other.items) === JSON.stringify(list.items) &&
                list.least <= other.most + 1,
        );
        if (same) same.most = Math.max(same.most, list.most);
        else kept.push({ ...list });
    }
    return kept;
}
