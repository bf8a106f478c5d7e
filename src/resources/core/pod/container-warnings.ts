import { goQuote } from '../../../meta/go-quote.ts';
import { byteWarnings, type Warn } from './byte-warnings.ts';
import type { Container } from './pod-shapes.ts';

export function containerWarnings({ resources, env }: Container, field: string, warn: Warn): void {
  byteWarnings(resources?.limits, `${field}.resources.limits`, warn);
  byteWarnings(resources?.requests, `${field}.resources.requests`, warn);
  if (env === undefined || env.length < 2) return;
  const names = new Set<string>();
  for (const [index, { name = '', value = '', valueFrom }] of env.entries()) {
    // A variable that refers to its previous value does not hide it.
    if (names.has(name) && (valueFrom !== undefined || !value.includes(`$(${name})`))) {
      const text = `hides previous definition of ${goQuote(name)}, which may be dropped when using apply`;
      warn(`${field}.env[${index}]`, text);
    }
    names.add(name);
  }
}
