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
  if (shape === undefined || typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? value.map((element) => (typeof element === 'object' && element !== null ? internalForm(shape, element) : element))
    : internalForm(shape, value);
}
