/**
 * Some messages show a whole value. kube-apiserver prints it there as its own code holds it: with the names of Go fields, and
 * with nothing left out. A shape says how to get there from the JSON form.
 */
export type InternalShape = Readonly<Record<string, InternalField>>;

interface InternalField {
  /** The name in JSON. */
  readonly from: string;
  /** What stands there when the value has none. */
  readonly absent: unknown;
  /** Of the value itself, or of the elements when it is a list. */
  readonly shape?: InternalShape;
}

export const text = (from: string): InternalField => ({ from, absent: '' });
export const number = (from: string): InternalField => ({ from, absent: 0 });
export const flag = (from: string): InternalField => ({ from, absent: false });
/** A pointer, a list or a map. With a shape, also those of structs. */
export const optional = (from: string, shape?: InternalShape): InternalField => ({ from, absent: null, shape });
/** A struct that is always there. */
export const part = (from: string, shape: InternalShape): InternalField => ({
  from,
  absent: internalForm(shape, {}),
  shape,
});

export function internalForm(shape: InternalShape, value: object): Record<string, unknown> {
  const form: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape)) {
    const given = (value as Record<string, unknown>)[field.from] ?? undefined;
    form[name] = given === undefined ? field.absent : shaped(given, field.shape);
  }
  return form;
}

function shaped(value: unknown, shape: InternalShape | undefined): unknown {
  if (shape === undefined || typeof value !== 'object' || value === null) return printable(value);
  return Array.isArray(value)
    ? value.map((element) => (isStruct(element) ? internalForm(shape, element) : printable(element)))
    : internalForm(shape, value);
}

const isStruct = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same value for `JSON.stringify`, which knows nothing of integers beyond the exact range of numbers. */
export function printable(value: unknown): unknown {
  if (typeof value === 'bigint') return rawJson(String(value));
  if (Array.isArray(value)) return value.map(printable);
  if (!isStruct(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, printable(member)]));
}

const { rawJSON: rawJson } = JSON as typeof JSON & { rawJSON(text: string): unknown };

/** Neither argument is a live object: values are equal when their canonical texts are. */
export function isSame(left: unknown, right: unknown): boolean {
  return left === right || textOf(left) === textOf(right);
}

/** Any value that can stand in an object, in compact JSON. */
export function textOf(value: unknown): string | undefined {
  return JSON.stringify(value, exactInteger);
}

const exactInteger = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? rawJson(String(value)) : value;
