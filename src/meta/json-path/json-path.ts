import { compareValues } from './compare-values.ts';
import { parseJsonPath } from './parse-json-path.ts';
import type { Filter, Slice, Step, Steps } from './step.ts';

/** Limits how many values paths may visit together: unions and repeated descents multiply them. */
export class PathWork {
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  get isExhausted(): boolean {
    return this.#left < 0;
  }

  /** Returns whether the limit is not yet exceeded. */
  spend(count: number): boolean {
    this.#left -= count;
    return this.#left >= 0;
  }
}

type Values = readonly unknown[];

/** A path as in a printer column: the inside of the braces of a kubectl template. */
export class JsonPath {
  readonly #steps: Steps;

  /** Throws a DecodeError when the text is not a path. */
  constructor(text: string) {
    this.#steps = parseJsonPath(text);
  }

  /**
   * Returns all results in the value. There are none where a key is missing. Undefined when a step is not possible,
   * such as an index that is out of bounds, or when the work exceeds its limit.
   */
  find(value: unknown, work: PathWork): Values | undefined {
    const found = walk(this.#steps, [value], work);
    return work.isExhausted ? undefined : found;
  }
}

function walk(steps: Steps, values: Values, work: PathWork): Values | undefined {
  let found: Values | undefined = values;
  for (const step of steps) {
    if (!work.spend(1 + found.length)) return undefined;
    found = take(step, found, work);
    if (found === undefined) return undefined;
  }
  return found;
}

function take(step: Step, values: Values, work: PathWork): Values | undefined {
  switch (step.kind) {
    case 'field':
      return values.flatMap((value) => member(value, step.name));
    case 'wildcard':
      return contents(values, work);
    case 'descent':
      return descend(values, work);
    case 'slice':
      return slices(step, values, work);
    case 'union':
      return union(step.paths, values, work);
    case 'filter':
      return filter(step, values, work);
    case 'constant':
      return step.once ? [step.value] : values.map(() => step.value);
    case 'word':
      return undefined;
  }
}

function member(value: unknown, name: string): Values {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return [];
  return [(value as Record<string, unknown>)[name]];
}

function contents(values: Values, work: PathWork): Values | undefined {
  const found: unknown[] = [];
  for (const value of values) {
    if (typeof value === 'string' && !work.spend(value.length)) return undefined;
    // As in Kubernetes, a string consists of bytes.
    const children = typeof value === 'string' ? Array.from(Buffer.from(value), String) : childrenOf(value);
    if (!work.spend(children.length)) return undefined;
    for (const child of children) found.push(child);
  }
  return found;
}

function childrenOf(value: unknown): Values {
  if (typeof value !== 'object' || value === null) return [];
  return Array.isArray(value) ? value : Object.values(value);
}

/**
 * Returns the values and everything in them, parents first, except for values that are neither strings nor containers.
 */
function descend(values: Values, work: PathWork): Values | undefined {
  const found: unknown[] = [];
  // An explicit stack instead of recursion, because objects can be deeply nested. The next value is the last one.
  const open = values.toReversed();
  while (open.length > 0) {
    const value = open.pop();
    const children = childrenOf(value);
    if (!work.spend(1 + children.length)) return undefined;
    if (children.length > 0 || (typeof value === 'string' && value !== '')) found.push(value);
    for (let index = children.length - 1; index >= 0; index--) open.push(children[index]);
  }
  return found;
}

function slices(slice: Slice, values: Values, work: PathWork): Values | undefined {
  const found: unknown[] = [];
  for (const value of values) {
    if (value === null) continue;
    if (!Array.isArray(value)) return undefined;
    const { length } = value;
    const from = slice.from < 0 ? slice.from + length : slice.from;
    const end = slice.to ?? length;
    const to = end < 0 || (end === 0 && slice.isIndex) ? end + length : end;
    // As in Kubernetes, an empty range ends the step, also for the arrays that follow.
    if (from === to) return found;
    if (from < 0 || to > length || from > to || slice.step <= 0) return undefined;
    if (!work.spend((to - from) / slice.step)) return undefined;
    for (let index = from; index < to; index += slice.step) found.push(value[index]);
  }
  return found;
}

function union(paths: readonly Steps[], values: Values, work: PathWork): Values | undefined {
  const found: unknown[] = [];
  for (const path of paths) {
    const results = walk(path, values, work);
    if (results === undefined || !work.spend(results.length)) return undefined;
    for (const result of results) found.push(result);
  }
  return found;
}

function filter({ left, comparison }: Filter, values: Values, work: PathWork): Values | undefined {
  const found: unknown[] = [];
  for (const value of values) {
    if (!Array.isArray(value)) return undefined;
    for (const item of value) {
      const lefts = walk(left, [item], work);
      if (work.isExhausted) return undefined;
      if (comparison === undefined) {
        // As in Kubernetes, a step that is not possible counts as a result here.
        if (lefts === undefined || lefts.length > 0) found.push(item);
        continue;
      }
      if (lefts?.length === 0) continue;
      const rights = walk(comparison.right, [item], work);
      if (rights?.length === 0 && lefts?.length === 1) continue;
      if (lefts?.length !== 1 || rights?.length !== 1) return undefined;
      const passes = compareValues(comparison.operator, lefts[0], rights[0]);
      if (passes === undefined) return undefined;
      if (passes) found.push(item);
    }
  }
  return found;
}
