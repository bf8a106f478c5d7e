/** A copy of an object with another field. Undefined removes it. */
export function setAt(
  object: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Record<string, unknown> {
  const { [name]: _, ...others } = object;
  if (value === undefined) return others;
  // The order of the fields stays.
  return { ...object, [name]: value };
}
