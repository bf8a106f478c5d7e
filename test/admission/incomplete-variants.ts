/** The value with one of its parts missing, null or empty: once for every part and way. */
export function* incompleteVariants(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  const rebuilt = (key: string, part: unknown): unknown =>
    Array.isArray(value)
      ? value.map((item, index) => (String(index) === key ? part : item))
      : Object.fromEntries(Object.entries(value).flatMap(([name, kept]) => [[name, name === key ? part : kept]]));
  for (const [key, part] of Object.entries(value)) {
    yield rebuilt(key, undefined);
    yield rebuilt(key, null);
    if (typeof part === 'object' && part !== null) yield rebuilt(key, Array.isArray(part) ? [] : {});
    if (typeof part === 'string') yield rebuilt(key, '');
    for (const variant of incompleteVariants(part)) yield rebuilt(key, variant);
  }
}
