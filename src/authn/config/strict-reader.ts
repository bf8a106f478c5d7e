/** What a document may hold: fields by their names, lists, and plain values. */
export type Shape = 'string' | 'boolean' | ShapeFields | readonly [Shape];

export interface ShapeFields {
  readonly [field: string]: Shape;
}

/**
 * Checks a decoded document against a shape and says all that does not fit: fields that are unknown, and values of other
 * types. Null counts as absent.
 */
export function shapeProblems(value: unknown, shape: Shape, path = ''): string[] {
  if (value === null || value === undefined) return [];
  if (typeof shape === 'string') {
    return typeof value === shape ? [] : [`${path}: expected a ${shape}, got ${kindOf(value)}`];
  }
  if (isListShape(shape)) {
    if (!Array.isArray(value)) return [`${path}: expected a list, got ${kindOf(value)}`];
    return value.flatMap((item, index) => shapeProblems(item, shape[0], `${path}[${index}]`));
  }
  if (typeof value !== 'object' || Array.isArray(value))
    return [`${path || 'document'}: expected an object, got ${kindOf(value)}`];
  return Object.entries(value).flatMap(([field, inner]) => {
    const at = path === '' ? field : `${path}.${field}`;
    const known = Object.hasOwn(shape, field) ? shape[field] : undefined;
    return known === undefined ? [`unknown field "${at}"`] : shapeProblems(inner, known, at);
  });
}

function isListShape(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
