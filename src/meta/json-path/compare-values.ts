/** Compares two values of the same type. Returns undefined for values and operators that cannot be compared. */
export function compareValues(operator: string, left: unknown, right: unknown): boolean | undefined {
  const type = typeOf(left);
  if (type === undefined || type !== typeOf(right)) return undefined;
  if (type === 'boolean' && operator !== '==' && operator !== '!=') return undefined;
  const order = type === 'string' ? byBytes(left as string, right as string) : byValue(left as number, right as number);
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    default:
      return undefined;
  }
}

/** Kubernetes does not compare integers with other numbers. */
function typeOf(value: unknown): 'boolean' | 'string' | 'integer' | 'float' | undefined {
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return typeof value as 'boolean' | 'string';
    case 'bigint':
      return 'integer';
    case 'number':
      return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'integer' : 'float';
    default:
      return undefined;
  }
}

function byBytes(left: string, right: string): number {
  return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Also used for bigints and booleans. */
function byValue(left: number, right: number): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
