/** How one requirement compares a label; the spelling of each operator is kept because a selector prints as it was written. */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted and without duplicates; one value for `=`, `==`, `!=`, `>` and `<`, none for `exists` and `!`. */
  readonly values: readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

/** Called for every object of a list: it makes nothing. */
export function meetsRequirement({ key, operator, values }: LabelRequirement, labels: Labels | undefined): boolean {
  // What a map inherits, such as `constructor`, is no string and so no label.
  const value = labels?.[key];
  switch (operator) {
    case '=':
    case '==':
      return value === values[0];
    case 'in':
      return values.includes(value!);
    case '!=':
    case 'notin':
      return !values.includes(value!);
    case 'exists':
      return typeof value === 'string';
    case '!':
      return typeof value !== 'string';
    case '>':
    case '<':
      return typeof value === 'string' && isOrdered(value, { operator, bound: values[0]! });
  }
}

function isOrdered(value: string, { operator, bound }: { operator: '>' | '<'; bound: string }): boolean {
  const left = parseInt64(value);
  const right = parseInt64(bound);
  if (left === undefined || right === undefined) return false;
  return operator === '>' ? left > right : left < right;
}

/** The integer that a text stands for, or undefined when it is none or does not fit 64 bits. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

export function requirementText({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`;
    default:
      return `${key}${operator}${values[0]}`;
  }
}
