import { CelMessage } from '../../cel/index.ts';

/**
 * Finds constructed objects whose type does not name their place: below `Object` the field `spec` may hold objects of
 * type `Object.spec` only. Returns undefined when all do, and otherwise one message for all that do not.
 */
export function typeNameProblem(root: CelMessage): string | undefined {
  const problems: string[] = [];
  check(root, root.typeName, problems);
  return problems.length === 0 ? undefined : `type mismatch: ${problems.join('\n')}`;
}

/** Lists and maps have no named types. */
function check(value: unknown, expected: string, problems: string[]): void {
  if (value instanceof CelMessage) {
    const { typeName, fields } = value;
    if (typeName !== expected) {
      const why = 'which matches field name path from root Object type';
      problems.push(`unexpected type name "${typeName}", expected "${expected}", ${why}`);
    }
    for (const [name, field] of fields) check(field, `${expected}.${name}`, problems);
  } else if (Array.isArray(value)) for (const item of value) check(item, expected, problems);
  else if (value instanceof Map) for (const item of value.values()) check(item, expected, problems);
}
