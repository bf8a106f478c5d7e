/**
 * The canonical form of a time has whole seconds. As in kube-apiserver, rules that compare times use the times of the
 * request, so its objects keep times with a fraction. Like the notes about empty lists, the property is neither encoded
 * nor enumerated with the fields, and copies of an object have it.
 */
const exactTimes = Symbol('times given with a fraction of a second');

interface Marked {
  [exactTimes]?: Readonly<Record<string, number>>;
}

const fraction = /:\d\d[.,](\d*[1-9])/;

/** Records the time of a field as the request has it, if it differs from the canonical one. */
export function recordExactTime(object: object, field: string, time: string): void {
  const digits = fraction.exec(time)?.[1];
  if (digits === undefined) return;
  const marked = object as Marked;
  marked[exactTimes] = { ...marked[exactTimes], [field]: Number(`0.${digits}`) };
}

/** Returns the seconds since 1970 of a time as the request has it. Undefined when the field is not set. */
export function exactSeconds(object: object, field: string): number | undefined {
  const time = (object as Readonly<Record<string, unknown>>)[field];
  if (typeof time !== 'string') return undefined;
  return Date.parse(time) / 1000 + ((object as Marked)[exactTimes]?.[field] ?? 0);
}
