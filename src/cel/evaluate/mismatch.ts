import { CelError, noSuchOverload } from '../cel-error.ts';
import { typeNameOf } from './values.ts';

const timestamp = 'google.protobuf.Timestamp';
const duration = 'google.protobuf.Duration';
const numbers = ['int', 'uint', 'double'];
const comparable = new Set([...numbers, 'bool', 'string', 'bytes', timestamp, duration]);

/** The types whose values implement an operator, whatever the type of the other operand. */
const implementers: Readonly<Record<string, ReadonlySet<string>>> = {
  '_+_': new Set([...numbers, 'string', 'bytes', 'list', timestamp, duration]),
  '_-_': new Set([...numbers, timestamp, duration]),
  '_*_': new Set(numbers),
  '_/_': new Set(numbers),
  '_%_': new Set(['int', 'uint']),
  '-_': new Set(['int', 'double', 'bool', duration]),
  '_<_': comparable,
  '_<=_': comparable,
  '_>_': comparable,
  '_>=_': comparable,
  size: new Set(['string', 'bytes', 'list', 'map']),
  matches: new Set(['string']),
  sort: new Set(['list']),
  '@sortByAssociatedKeys': new Set(['list']),
};
/** Values of these types answer every call themselves. */
const receivers: ReadonlySet<string> = new Set(['string', timestamp, duration]);
/** These are called for every type. */
const unguarded: ReadonlySet<string> = new Set(['!_', '@in', 'contains', 'startsWith', 'endsWith']);

/** The error of a call for which no overload fits the types of the values. */
export function mismatch(name: string, values: readonly unknown[]): CelError {
  const types = values.map(typeNameOf);
  if (name === 'flatten') return new CelError(`no such overload: ${types[0]}.flatten(${types.slice(1).join(', ')})`);
  const known = Object.hasOwn(implementers, name) ? implementers[name] : undefined;
  if (known === undefined) {
    return unguarded.has(name) ? noSuchOverload() : new CelError(`no such overload: ${name}(${types.join(', ')})`);
  }
  const [first = ''] = types;
  return known.has(first) || receivers.has(first) ? noSuchOverload() : new CelError(`no such overload: ${name}`);
}
