import type { Environment } from '@marcbachmann/cel-js';
import { celEquals } from '../cel-value.ts';
import { spend, weightOf } from '../work.ts';
import { defineNamespace } from './define-functions.ts';
import { privatePrefix as own } from './replaced-functions.ts';

type Values = readonly unknown[];

/** Compares lists as sets: `sets.contains(all, some)`, `sets.equivalent(a, b)`, `sets.intersects(a, b)`. */
export function registerSets(environment: Environment): void {
  defineNamespace(environment, 'sets', {
    // `contains` is also a string method, so calls are redirected to this name.
    [`${own}contains(list<T>, list<T>): bool`]: contains,
    'equivalent(list<T>, list<T>): bool': (left: Values, right: Values) =>
      contains(left, right) && contains(right, left),
    'intersects(list<T>, list<T>): bool': (left: Values, right: Values) => right.some((value) => has(left, value)),
  });
}

function contains(all: Values, some: Values): boolean {
  return some.every((value) => has(all, value));
}

function has(all: Values, value: unknown): boolean {
  spend(1 + all.length * (1 + weightOf(value)));
  return all.some((item) => celEquals(item, value));
}
