/** The maximum size of a body. */
export const maxBody = 3 * 1024 * 1024;

export interface ManyOptions {
  readonly before?: string;
  readonly after?: string;
  readonly separator?: string;
  /** The maximum number of units. */
  readonly count?: number;
}

/** Slightly below the limits of the server for keys of a map, elements of a list, and all values. */
const maxKeys = 19_000;
const maxElements = 9_900;
const maxValues = 45_000;

let maxCount = Number.POSITIVE_INFINITY;
let isMap = false;

/** Repeats units between two other parts, up to the maximum size of a body or the number of units. */
export function many(unit: (index: number) => string, options: ManyOptions = {}): string {
  const { before = '', after = '', separator = ',', count = Number.POSITIVE_INFINITY } = options;
  const units: string[] = [];
  isMap = /^"[^"]*":|^ *[^-{ ]\S*: /.test(unit(0));
  let size = Buffer.byteLength(before) + Buffer.byteLength(after);
  for (let index = 0; index < Math.min(count, maxCount); index++) {
    const text = unit(index);
    size += Buffer.byteLength(text) + separator.length;
    if (size > maxBody) break;
    units.push(text);
  }
  return before + units.join(separator) + after;
}

/**
 * Returns the same body with as many units as the server accepts, because a body that is rejected early is not a hard
 * test.
 */
export function withinBounds(body: () => string | Buffer): string | Buffer {
  const perUnit = valuesOf(() => limited(2, body)) - valuesOf(() => limited(1, body)) || 1;
  return limited(Math.min(isMap ? maxKeys : maxElements, Math.trunc(maxValues / perUnit)), body);
}

function limited<T>(count: number, body: () => T): T {
  maxCount = count;
  try {
    return body();
  } finally {
    maxCount = Number.POSITIVE_INFINITY;
  }
}

/** Returns the number of values in a JSON body, or 0 for other bodies. */
function valuesOf(body: () => string | Buffer): number {
  let values = 0;
  try {
    JSON.parse(body().toString(), (_key, value: unknown) => {
      values++;
      return value;
    });
  } catch {
    return 0;
  }
  return values;
}
