import type { QuotaEvaluator } from './quota-evaluator.ts';

/** The limit names that predate `count/` limits. */
const oldNames: ReadonlySet<string> = new Set(['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets']);

export function countName({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`;
}

/** Creates the evaluator of a type that is only counted. */
export function countEvaluator(type: { readonly group: string; readonly resource: string }): QuotaEvaluator {
  const names = [countName(type)];
  if (type.group === '' && oldNames.has(type.resource)) names.push(type.resource);
  const one = Object.fromEntries(names.map((name) => [name, '1']));
  return { concerns: (name) => names.includes(name), usage: () => one };
}
