/**
 * How Kubernetes itself holds a value: its fields under other names, in another order, the empty ones included. Some of its
 * messages show values in that form.
 */
export type GoForm = (value: unknown) => unknown;

type Fields = Readonly<Record<string, GoForm | readonly [string, GoForm]>>;

export const goString: GoForm = (value) => value ?? '';
export const goNumber: GoForm = (value) => value ?? 0;
export const goBool: GoForm = (value) => value ?? false;
/** A pointer to a scalar, a list of scalars or a map: there or null. */
export const goNullable: GoForm = (value) => value ?? null;

export function goList(items: GoForm): GoForm {
  return (value) => (Array.isArray(value) ? value.map(items) : null);
}

/** A struct that is no pointer has all its fields even when nothing is set. */
export function goStruct(fields: Fields): GoForm {
  const plan = Object.entries(fields).map(([goName, entry]) => {
    const [name, form] = typeof entry === 'function' ? [jsonName(goName), entry] : entry;
    return { goName, name, form };
  });
  return (value) => {
    const source = (value ?? {}) as Readonly<Record<string, unknown>>;
    const result: Record<string, unknown> = {};
    for (const { goName, name, form } of plan) result[goName] = form(source[name]);
    return result;
  };
}

export function goPointer(form: GoForm): GoForm {
  return (value) => (value === undefined || value === null ? null : form(value));
}

/** `HTTPGet` is `httpGet`, `DNSPolicy` is `dnsPolicy`, `IP` is `ip`. */
function jsonName(goName: string): string {
  return goName.replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, (start) => start.toLowerCase());
}
