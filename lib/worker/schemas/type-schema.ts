/**
 * Converts a TypeScript type to the JSON Schema of its values as they cross the wire (`plain.ts`). Types without a form
 * there (functions, symbols, undefined) are left out; those that are unknown or too large become `{}`. It is written
 * here because the packages that do this read declarations by name, and a graph's state has none.
 */
import type ts from "typescript";
import type { JsonObject } from "../../protocol/json.ts";
import { instanceSchema } from "./instances.ts";
import { anyOf, primitive, type Schema, type TypeScript } from "./leaves.ts";
import { MESSAGE, MESSAGES } from "./messages.ts";
import { messagesOf, withoutOverwrite } from "./messages-types.ts";

const DEEPEST = 12;
const MOST_TYPES = 3_000;

/** Returns the schema of a type. Types that contain themselves are named in `$defs`. */
export function schemaOfType(ts: TypeScript, checker: ts.TypeChecker, type: ts.Type): Schema {
  return new SchemaConversion(ts, checker).root(type);
}

class SchemaConversion {
  readonly #ts: TypeScript;
  readonly #checker: ts.TypeChecker;
  /** The types that are being converted, from the outside in. */
  readonly #open: OpenType[] = [];
  readonly #defs = new Map<string, JsonObject>();
  #seen = 0;

  constructor(ts: TypeScript, checker: ts.TypeChecker) {
    this.#ts = ts;
    this.#checker = checker;
  }

  root(type: ts.Type): Schema {
    const schema = this.#convert(type);
    return schema && this.#defs.size > 0 ? { ...schema, $defs: Object.fromEntries(this.#defs) } : schema;
  }

  #convert(type: ts.Type): Schema {
    const { TypeFlags } = this.#ts;
    const { flags } = type;
    if (flags & (TypeFlags.Any | TypeFlags.Unknown)) return {};
    if (this.#open.length >= DEEPEST || ++this.#seen > MOST_TYPES) return {};
    if (flags & (TypeFlags.Undefined | TypeFlags.Void | TypeFlags.ESSymbolLike)) return undefined;
    if (flags & TypeFlags.Never) return { not: {} };
    if (type.isUnion() && !(flags & TypeFlags.Boolean)) return this.#union(type);
    const plain = primitive(this.#ts, this.#checker, type);
    if (plain) return plain;
    return flags & TypeFlags.Instantiable ? this.#bound(type) : this.#structured(type);
  }

  /** Converts an open type by the type that it extends. */
  #bound(type: ts.Type): Schema {
    const bound = this.#checker.getBaseConstraintOfType(type);
    return bound && bound !== type ? this.#convert(bound) : {};
  }

  #union(type: ts.UnionType): Schema {
    const members = withoutOverwrite(type.types);
    const messages = messagesOf(this.#ts, this.#checker, members);
    const rest = messages ? members.filter((one) => one.flags & this.#ts.TypeFlags.Null) : members;
    const found = rest.map((one) => this.#convert(one)).filter((schema) => schema !== undefined);
    if (messages) found.unshift(messages === "list" ? MESSAGES : MESSAGE);
    return found.length > 0 ? anyOf(found) : undefined;
  }

  /** Converts objects and intersections. An intersection with a primitive (a brand) is that primitive. */
  #structured(type: ts.Type): Schema {
    if (type.isIntersection()) {
      const plain = type.types.map((one) => primitive(this.#ts, this.#checker, one)).find(Boolean);
      if (plain) return plain;
    }
    const above = this.#open.find((one) => one.type === type);
    if (above) return { $ref: `#/$defs/${(above.name ??= this.#nameOf(type))}` };
    const here: OpenType = { type };
    this.#open.push(here);
    const schema = this.#object(type);
    this.#open.pop();
    if (here.name === undefined || !schema) return schema;
    this.#defs.set(here.name, schema);
    return { $ref: `#/$defs/${here.name}` };
  }

  #object(type: ts.Type): Schema {
    const messages = messagesOf(this.#ts, this.#checker, [type]);
    if (messages) return messages === "list" ? MESSAGES : MESSAGE;
    if (isTuple(this.#checker, type)) return this.#tuple(type);
    const parts = this.#checker.getTypeArguments(asReference(type));
    if (this.#checker.isArrayType(type)) return { type: "array", ...this.#itemsOf(parts[0]) };
    if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0) return undefined;
    return instanceSchema(type, parts, (part) => this.#convert(part)) ?? this.#members(type);
  }

  #itemsOf(item: ts.Type | undefined): JsonObject {
    const schema = item && this.#convert(item);
    return schema && Object.keys(schema).length > 0 ? { items: schema } : {};
  }

  #tuple(type: ts.TupleTypeReference): Schema {
    const { ElementFlags } = this.#ts;
    const { elementFlags } = type.target;
    const all = this.#checker.getTypeArguments(type).map((item) => this.#convert(item) ?? {});
    const rest = elementFlags.findIndex((flags) => flags & ElementFlags.Variable);
    if (rest >= 0) return { type: "array", prefixItems: all.slice(0, rest), items: anyOf(all.slice(rest)) };
    const minItems = elementFlags.filter((flags) => flags & ElementFlags.Required).length;
    return { type: "array", prefixItems: all, minItems, maxItems: all.length };
  }

  #members(type: ts.Type): Schema {
    const required: string[] = [];
    const properties = this.#checker.getPropertiesOfType(type).flatMap((property): [string, JsonObject][] => {
      if (isHidden(this.#ts, property)) return [];
      const its = this.#checker.getTypeOfSymbol(property);
      const schema = this.#convert(its);
      if (!schema) return [];
      const isOptional = (property.flags & this.#ts.SymbolFlags.Optional) !== 0;
      if (!isOptional && !mayBeUndefined(this.#ts, its)) required.push(property.name);
      const comment = property.getDocumentationComment(this.#checker);
      const description = this.#ts.displayPartsToString(comment).trim();
      return [[property.name, description && !schema.$ref ? { ...schema, description } : schema]];
    });
    const indexes = this.#checker.getIndexInfosOfType(type);
    const others = indexes.find((info) => info.keyType.flags & this.#ts.TypeFlags.String);
    const additional = others && this.#convert(others.type);
    return {
      type: "object",
      ...(properties.length > 0 || !others ? { properties: Object.fromEntries(properties) } : {}),
      ...(required.length > 0 ? { required } : {}),
      ...(additional && Object.keys(additional).length > 0 ? { additionalProperties: additional } : {}),
    };
  }

  #nameOf(type: ts.Type): string {
    const given = (type.aliasSymbol ?? type.symbol)?.name.replaceAll(/\W/g, "") ?? "";
    const base = given === "" || given.startsWith("__") ? "Node" : given;
    const taken = new Set([...this.#defs.keys(), ...this.#open.map((one) => one.name)]);
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}${n}`;
    return name;
  }
}

/** A type that is being converted. It gets a name when it turns up inside of itself. */
interface OpenType {
  type: ts.Type;
  name?: string;
}

/** Narrows the type, which the checker's `isTupleType` does not. */
function isTuple(checker: ts.TypeChecker, type: ts.Type): type is ts.TupleTypeReference {
  return checker.isTupleType(type);
}

/** Allows `getTypeArguments` for any type: it returns an empty list for one that refers to nothing. */
function asReference(type: ts.Type): ts.TypeReference {
  return type as ts.TypeReference;
}

function isHidden(ts: TypeScript, { name, valueDeclaration }: ts.Symbol): boolean {
  if (name.startsWith("__@") || name.startsWith("#")) return true;
  const modifiers = valueDeclaration ? ts.getCombinedModifierFlags(valueDeclaration) : 0;
  return (modifiers & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;
}

function mayBeUndefined(ts: TypeScript, type: ts.Type): boolean {
  const members = type.isUnion() ? type.types : [type];
  const { Undefined, Void, Any, Unknown } = ts.TypeFlags;
  return members.some((one) => (one.flags & (Undefined | Void | Any | Unknown)) !== 0);
}
