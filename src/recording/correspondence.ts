import { redacted } from './redact.ts';

/** Fields with values that the server generates. A recorded value corresponds to one value of the other server. */
const ownNames = new Set(['resourceVersion', 'uid', 'continue']);
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
/** Replaces secrets in requests. It is base64, because some fields require that. */
const replacement = Buffer.from('redacted').toString('base64');

export interface Difference {
  /** The path of the field, such as `.spec.replicas`. */
  readonly path: string;
  readonly recorded: unknown;
  readonly got: unknown;
}

/**
 * Maps the recorded resource versions, uids, continue tokens and generated names to those of the other server. Filled
 * from responses, and used in later requests and comparisons.
 */
export class Correspondence {
  readonly #values = new Map<string, string>();
  readonly #recordedOf = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #ignored: readonly RegExp[];

  /**
   * `ignored` are paths of fields, such as `spec.clusterIP` or `metadata.annotations`. `*` is any one name or index.
   */
  constructor(ignored: readonly string[] = []) {
    this.#ignored = ignored.map((path) => {
      const words = path.split('.').map((word) => (word === '*' ? '[^.]+' : word.replace(/[^\w-]/g, '\\$&')));
      return new RegExp(`(^|\\.)${words.join('\\.')}$`);
    });
  }

  /** Compares a response with the recorded one. */
  compare(recorded: unknown, got: unknown): Difference[] {
    this.#recordName(recorded, got);
    const differences: Difference[] = [];
    this.#compare({ recorded, got, path: '', name: '' }, differences);
    return differences;
  }

  /** Converts a recorded path for the other server. */
  path(path: string): string {
    const [pathname = '', query] = path.split('?');
    const segments = pathname.split('/').map((segment) => this.#names.get(segment) ?? segment);
    if (query === undefined) return segments.join('/');
    const pairs = query.split('&').map((pair) => {
      const [name, value = ''] = pair.split('=');
      const known = ownNames.has(name!) ? this.#values.get(`${name} ${decodeURIComponent(value)}`) : undefined;
      return known === undefined ? pair : `${name}=${encodeURIComponent(known)}`;
    });
    return `${segments.join('/')}?${pairs.join('&')}`;
  }

  /** Converts a recorded body for the other server. */
  body(value: unknown, name = ''): unknown {
    if (Array.isArray(value)) return value.map((item) => this.body(item, name));
    if (typeof value === 'object' && value !== null) {
      const nameOf = (key: string): string => (key === 'value' ? patchedField(value) : undefined) ?? key;
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.body(inner, nameOf(key))]));
    }
    if (value === redacted) return replacement;
    if (typeof value !== 'string') return value;
    return (ownNames.has(name) ? this.#values.get(`${name} ${value}`) : this.#names.get(value)) ?? value;
  }

  /** Learns a generated name from an object that has one. */
  #recordName(recorded: unknown, got: unknown): void {
    const [before, now] = [metadataOf(recorded), metadataOf(got)];
    if (before?.generateName === undefined || before.generateName !== now?.generateName) return;
    if (before.name !== undefined && now.name !== undefined) this.#names.set(before.name, now.name);
  }

  #compare(
    { recorded, got, path, name }: { recorded: unknown; got: unknown; path: string; name: string },
    differences: Difference[],
  ): void {
    if (recorded === redacted || this.#ignored.some((pattern) => pattern.test(path.slice(1)))) return;
    if (typeof recorded === 'object' && recorded !== null && typeof got === 'object' && got !== null) {
      for (const key of new Set([...Object.keys(recorded), ...Object.keys(got)])) {
        const inner = { recorded: fieldOf(recorded, key), got: fieldOf(got, key) };
        this.#compare({ ...inner, path: `${path}.${key}`, name: Array.isArray(recorded) ? name : key }, differences);
      }
      return;
    }
    if (!this.#corresponds(recorded, got, name)) differences.push({ path, recorded, got });
  }

  #corresponds(recorded: unknown, got: unknown, name: string): boolean {
    if (recorded === got) return ownNames.has(name) && typeof got === 'string' ? this.#record(name, got, got) : true;
    if (typeof recorded !== 'string' || typeof got !== 'string') return false;
    if (timestamp.test(recorded) && timestamp.test(got)) return true;
    if (ownNames.has(name)) return this.#record(name, recorded, got);
    return this.#renamed(recorded) === got;
  }

  /** Returns whether the values correspond: each must correspond to exactly one other. */
  #record(name: string, recorded: string, got: string): boolean {
    // An empty string means that there is no value.
    if (recorded === '' || got === '') return recorded === got;
    const before = this.#values.get(`${name} ${recorded}`);
    const other = this.#recordedOf.get(`${name} ${got}`);
    if (before === undefined && other === undefined) {
      this.#values.set(`${name} ${recorded}`, got);
      this.#recordedOf.set(`${name} ${got}`, recorded);
      return true;
    }
    return before === got;
  }

  /** Replaces generated names and uids in a text, such as a message. */
  #renamed(text: string): string {
    let renamed = this.#names.get(text) ?? text;
    if (renamed !== text) return renamed;
    for (const [recorded, got] of this.#names) renamed = renamed.replaceAll(recorded, got);
    for (const [key, got] of this.#values) if (key.startsWith('uid ')) renamed = renamed.replaceAll(key.slice(4), got);
    return renamed;
  }
}

/** Returns the last segment of the path of a JSON patch operation. Undefined for other objects. */
function patchedField(value: { readonly op?: unknown; readonly path?: unknown }): string | undefined {
  const { op, path } = value;
  return typeof op === 'string' && typeof path === 'string' ? path.split('/').at(-1) : undefined;
}

interface NamedMetadata {
  readonly name?: string;
  readonly generateName?: string;
}

function metadataOf(value: unknown): NamedMetadata | undefined {
  return (value as { metadata?: NamedMetadata } | undefined)?.metadata;
}

function fieldOf(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}
