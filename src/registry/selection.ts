import { checkFieldSelector, type FieldSelector, parseFieldSelector } from '../meta/field-selector.ts';
import { type LabelSelector, parseLabelSelector } from '../meta/label-selector.ts';
import type { ObjectScope, StoredObject } from '../store/index.ts';
import { FieldTable } from './field-table.ts';
import type { Selection } from './resource.ts';
import type { ResourceContext } from './resource-context.ts';

type Test = (object: StoredObject) => boolean;

/**
 * The objects that a request selects, in the narrowest scope that its selectors allow. Conditions that the prefix, key
 * or index implies are not tested again.
 *
 * @throws StatusError 400
 */
export function selection(context: ResourceContext, request: Selection): ObjectScope {
  const { namespace, labelSelector, fieldSelector } = request;
  if (labelSelector === '' && fieldSelector === '') return { prefix: context.keys.prefix(namespace) };
  const labels = parseLabelSelector(labelSelector);
  const fields = parseFieldSelector(fieldSelector);
  const { group, version, kind, rules } = context.definition;
  checkFieldSelector(fields, { rules: rules.fieldSelectors, group, version, kind });
  const range = keyRangeOf(context, namespace, fields);
  if (range === undefined) return nothingIn(context.keys.prefix(namespace));
  const { prefix, key } = range;
  const table = FieldTable.of(context);
  const conditions = columnConditions(table, fields);
  const found = key === undefined ? conditions.find((condition) => isIndexed(table, condition)) : undefined;
  const left = conditions.filter((condition) => condition !== found);
  const tests = [...range.tests, ...labelTests(labels), ...columnTests(table, left)];
  return {
    prefix,
    ...(key !== undefined && { key }),
    ...(found && { indexed: { index: table.index(found.column)!, value: found.value } }),
    ...(tests.length > 0 && { matches: allOf(tests) }),
  };
}

function allOf(tests: readonly Test[]): Test {
  if (tests.length === 1) return tests[0]!;
  return (object) => {
    for (const test of tests) if (!test(object)) return false;
    return true;
  };
}

/** The scope of a selector that can match nothing, which is not an error. No object has a key that is a prefix. */
function nothingIn(prefix: string): ObjectScope {
  return { prefix, key: prefix, matches: () => false };
}

interface KeyRange {
  readonly prefix: string;
  readonly key?: string;
  /** The conditions that prefix and key do not imply. */
  readonly tests: readonly Test[];
}

/** The location of the selected objects by name and namespace. Undefined when no object can match. */
function keyRangeOf(context: ResourceContext, inNamespace: string, fields: FieldSelector): KeyRange | undefined {
  const { namespaced } = context.definition;
  const name = fields.requiredValue('metadata.name');
  // Cluster-scoped objects have an empty namespace.
  const namespace = namespaced ? inNamespace || fields.requiredValue('metadata.namespace') : '';
  if (name !== undefined && !isSegment(name)) return undefined;
  if (namespaced && namespace !== undefined && !isSegment(namespace)) return undefined;
  const tests: Test[] = [];
  const otherNames = new Set<string>();
  for (const { field, operator, value } of fields.requirements) {
    if (field !== 'metadata.name' && field !== 'metadata.namespace') continue;
    const known = field === 'metadata.name' ? name : namespace;
    if (known !== undefined && (known === value) !== (operator === '=')) return undefined;
    // Only requirements that exclude a value remain. A value that no key can contain excludes nothing.
    if (known !== undefined || !isSegment(value)) continue;
    if (field === 'metadata.name') otherNames.add(value);
    else tests.push(isNotBelow(context.keys.prefix(value)));
  }
  if (otherNames.size > 0) tests.push(({ key }) => !otherNames.has(key.slice(key.lastIndexOf('/') + 1)));
  const prefix = context.keys.prefix(namespace ?? '');
  if (name === undefined) return { prefix, tests };
  if (namespace === undefined) return { prefix, tests: [isNamed(name), ...tests] };
  return { prefix, key: context.keys.of(namespace, name), tests };
}

/** Whether a text can be a segment of a key. It comes from a client and must not match the key of another object. */
function isSegment(text: string): boolean {
  return text !== '' && !text.includes('/');
}

function isNamed(name: string): Test {
  const end = `/${name}`;
  return ({ key }) => key.endsWith(end);
}

function isNotBelow(prefix: string): Test {
  return ({ key }) => !key.startsWith(prefix);
}

function labelTests(labels: LabelSelector): Test[] {
  return labels.empty ? [] : [(object) => labels.matches(object.labels)];
}

interface ColumnCondition {
  readonly column: number;
  readonly value: string;
  readonly equal: boolean;
}

function columnConditions(table: FieldTable, { requirements }: FieldSelector): ColumnCondition[] {
  return requirements
    .filter(({ field }) => field !== 'metadata.name' && field !== 'metadata.namespace')
    .map(({ field, operator, value }) => ({ column: table.column(field), value, equal: operator === '=' }));
}

function isIndexed(table: FieldTable, { column, equal }: ColumnCondition): boolean {
  return equal && table.index(column) !== undefined;
}

function columnTests({ valuesOf }: FieldTable, conditions: readonly ColumnCondition[]): Test[] {
  if (conditions.length === 0) return [];
  return [
    (object) => {
      const values = object.values(valuesOf);
      for (const { column, value, equal } of conditions) if ((values[column] === value) !== equal) return false;
      return true;
    },
  ];
}
