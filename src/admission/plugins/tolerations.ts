export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

const texts = ['key', 'operator', 'value', 'effect'] as const;

/** Parses tolerations in annotations or configuration. Unknown fields are ignored. Throws a TypeError. */
export function readTolerations(value: unknown): Toleration[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new TypeError('tolerations must be a list');
  return value.map((item: unknown) => {
    if (typeof item !== 'object' || item === null) throw new TypeError('a toleration must be an object');
    const fields = item as Readonly<Record<string, unknown>>;
    const read: Record<string, unknown> = {};
    for (const name of texts) {
      const text = fields[name] ?? '';
      if (typeof text !== 'string') throw new TypeError(`${name} of a toleration must be a string`);
      if (text !== '') read[name] = text;
    }
    const seconds = fields.tolerationSeconds ?? undefined;
    if (seconds !== undefined && !Number.isInteger(seconds)) {
      throw new TypeError('tolerationSeconds of a toleration must be an integer');
    }
    return { ...read, ...(seconds !== undefined && { tolerationSeconds: seconds as number }) };
  });
}

/**
 * Returns the tolerations of both lists, without those that another toleration includes. Of equal ones the first is
 * kept.
 */
export function mergedTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [index, toleration] of all.entries()) {
    const isIncluded =
      merged.some((other) => includes(other, toleration)) ||
      all.slice(index + 1).some((other) => !isSame(other, toleration) && includes(other, toleration));
    if (!isIncluded) merged.push(toleration);
  }
  return merged;
}

/** Whether `wider` tolerates all that `toleration` does. */
export function includes(wider: Toleration, toleration: Toleration): boolean {
  if (isSame(wider, toleration)) return true;
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = wider;
  const isAnyKey = key === '' && operator === 'Exists';
  if ((toleration.key ?? '') !== key && !isAnyKey) return false;
  if ((toleration.effect ?? '') !== effect && effect !== '') return false;
  if (effect === 'NoExecute' && tolerationSeconds !== undefined) {
    if ((toleration.tolerationSeconds ?? Number.POSITIVE_INFINITY) > tolerationSeconds) return false;
  }
  if (operator === 'Exists') return true;
  return (
    (operator === '' || operator === 'Equal') && toleration.operator === 'Equal' && (toleration.value ?? '') === value
  );
}

function isSame(left: Toleration, right: Toleration): boolean {
  return (
    texts.every((name) => (left[name] ?? '') === (right[name] ?? '')) &&
    left.tolerationSeconds === right.tolerationSeconds
  );
}
