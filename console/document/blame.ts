import { isEqual, isObject, type Path, pathKey } from './path.ts';

/** The manager that set a field, from an entry of `managedFields`. */
export interface FieldOwner {
  readonly manager: string;
  readonly operation: string;
  readonly subresource: string;
  /** Milliseconds. NaN if the entry has no time. */
  readonly time: number;
}

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: unknown;
}

/** The owners of the fields of an object, newest first. */
export class Blame {
  readonly #owners = new Map<string, FieldOwner[]>();
  /** Fields that are owned together with everything below them. */
  readonly #whole = new Set<string>();

  constructor(object: { readonly metadata?: { readonly managedFields?: readonly ManagedFields[] } }) {
    for (const entry of object.metadata?.managedFields ?? []) {
      const owner = {
        manager: entry.manager ?? '',
        operation: entry.operation ?? '',
        subresource: entry.subresource ?? '',
        time: Date.parse(entry.time ?? ''),
      };
      if (isObject(entry.fieldsV1)) this.#walk(entry.fieldsV1, { value: object, path: [], owner });
    }
    for (const owners of this.#owners.values()) owners.sort((a, b) => (b.time || 0) - (a.time || 0));
  }

  /** Returns the owners of a field, or those of the nearest field around it that is owned as a whole. */
  ownersOf(path: Path): readonly FieldOwner[] {
    const exact = this.#owners.get(pathKey(path));
    if (exact) return exact;
    for (let length = path.length - 1; length > 0; length--) {
      const key = pathKey(path.slice(0, length));
      if (this.#whole.has(key)) return this.#owners.get(key)!;
    }
    return [];
  }

  #walk(fields: Record<string, unknown>, at: { value: unknown; path: Path; owner: FieldOwner }): void {
    const { value, path, owner } = at;
    for (const [step, inner] of Object.entries(fields)) {
      if (step === '.') {
        this.#own(path, owner);
        continue;
      }
      const segment = segmentOf(step, value);
      if (segment === undefined || !isObject(inner)) continue;
      const child = [...path, segment];
      if (Object.keys(inner).length === 0) {
        this.#own(child, owner);
        this.#whole.add(pathKey(child));
      } else {
        this.#walk(inner, { value: (value as Record<string | number, unknown>)[segment], path: child, owner });
      }
    }
  }

  #own(path: Path, owner: FieldOwner): void {
    const owners = this.#owners.get(pathKey(path)) ?? [];
    this.#owners.set(pathKey(path), [...owners, owner]);
  }
}

/** Returns the field or item that a step of `fieldsV1` refers to. Undefined if the object does not have it. */
function segmentOf(step: string, value: unknown): string | number | undefined {
  const rest = step.slice(2);
  if (step.startsWith('f:')) return isObject(value) && Object.hasOwn(value, rest) ? rest : undefined;
  if (!Array.isArray(value)) return undefined;
  const index = step.startsWith('i:') ? Number(rest) : indexOf(value, step, parse(rest));
  return index >= 0 && index < value.length ? index : undefined;
}

function indexOf(items: readonly unknown[], step: string, wanted: unknown): number {
  if (step.startsWith('v:')) return items.findIndex((item) => isEqual(item, wanted));
  if (!step.startsWith('k:') || !isObject(wanted)) return -1;
  const keys = Object.entries(wanted);
  // A key that is missing in the item has its default value, which the entry contains.
  const matches = (item: unknown, isLoose: boolean) =>
    isObject(item) && keys.every(([key, value]) => isEqual(item[key], value) || (isLoose && item[key] === undefined));
  const exact = items.findIndex((item) => matches(item, false));
  return exact >= 0 ? exact : items.findIndex((item) => matches(item, true));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
