import { describe, expect, it } from 'vitest';
import { createRandom } from '../faults/random.ts';
import { checkHistory } from './check-history.ts';
import { checkLinearizable } from './check-linearizable.ts';
import { reduce } from './counterexample.ts';
import { type RegisterInput, type RegisterOperation, type RegisterOutput, registerModel } from './register.ts';
import { type Fault, simulate } from './simulated-registers.ts';

const model = registerModel;

/**
 * Parses a history: `1-2 write 1: true, 3-? swap 1 2, 4-5 read: nothing` has the times of invocation and return, the
 * inputs and the outputs.
 */
function historyOf(text: string): RegisterOperation[] {
  return text.split(', ').map((line) => {
    const [invocation = '', output] = line.split(': ');
    const [times = '', verb = '', ...values] = invocation.split(' ');
    const [invoked, returned] = times
      .split('-')
      .map((time) => (time === '?' ? Number.POSITIVE_INFINITY : Number(time)));
    const [first, second] = values.map(Number);
    const given = verb === 'swap' ? { from: first, value: second } : verb === 'write' ? { value: first } : {};
    const input = { verb, key: 'key', ...given } as RegisterInput;
    const parsed = output === undefined ? undefined : outputOf(output);
    return { client: 'client', input, output: parsed, invoked: invoked!, returned: returned! };
  });
}

function outputOf(text: string): RegisterOutput {
  return text === 'nothing' ? null : (JSON.parse(text) as boolean | number);
}

const verdictOf = (text: string) => checkHistory({ model, operations: historyOf(text) }).verdict;

const linearizable: [what: string, history: string][] = [
  ['one after the other', '1-2 write 1: true, 3-4 read: 1'],
  ['a read that overlaps and sees the old', '1-2 write 1: true, 3-6 write 2: true, 4-5 read: 1'],
  ['a read that overlaps and sees the new', '1-2 write 1: true, 3-6 write 2: true, 4-5 read: 2'],
  ['returns in the other order', '1-9 write 1: true, 2-3 write 2: true, 4-5 read: 1'],
  ['times that touch', '1-3 write 1: true, 3-4 read: nothing'],
  ['two swaps of which one fails', '1-2 write 1: true, 3-6 swap 1 2: true, 3-6 swap 1 3: false'],
  ['lost, and never happened', '1-? write 1, 2-3 read: nothing, 4-5 read: nothing'],
  ['lost, and happened late', '1-? write 1, 2-3 read: nothing, 4-5 read: 1'],
  ['lost, overwritten, and then happened', '1-? write 1, 2-3 write 2: true, 4-5 read: 1'],
  ['a lost swap that another waits for', '1-2 write 1: true, 3-? swap 1 2, 4-5 swap 2 3: true'],
  ['a lost read', '1-? read, 2-3 read: nothing'],
];

const impossible: [what: string, history: string][] = [
  ['a stale read', '1-2 write 1: true, 3-4 write 2: true, 5-6 read: 1'],
  ['a value that nobody wrote', '1-2 read: 7'],
  ['a lost update', '1-2 write 1: true, 3-4 read: nothing'],
  ['a removal that does not last', '1-2 write 1: true, 3-4 remove: true, 5-6 read: 1'],
  ['two swaps of one value', '1-2 write 1: true, 3-6 swap 1 2: true, 3-6 swap 1 3: true'],
  ['reads going back within a write', '1-2 write 1: true, 3-9 write 2: true, 4-5 read: 2, 6-7 read: 1'],
  ['lost, and happened before it was invoked', '1-2 read: 1, 3-? write 1'],
  ['lost, and happened twice', '1-? write 1, 2-3 read: 1, 4-5 remove: true, 6-7 read: 1'],
  ['reads in a circle', '1-9 write 1: true, 1-9 write 2: true, 2-3 read: 1, 4-5 read: 2, 6-7 read: 1'],
];

describe('hand-made histories', () => {
  it.each(linearizable)('accepts %s', (_, history) => {
    expect(verdictOf(history)).toBe('linearizable');
  });

  it.each(impossible)('refuses %s', (_, history) => {
    expect(verdictOf(history)).toBe('violation');
  });
});

const seeds = Array.from({ length: 30 }, (_, index) => index + 1);
const faults: Fault[] = [
  'stale read',
  'lost update',
  'resurrected removal',
  'second swap of one value',
  'read that goes back',
];

describe('simulated registers', () => {
  it.each([0, 15])('are accepted when one in %i operations has no answer', (lostOneIn) => {
    for (const seed of seeds) {
      const operations = simulate({ random: createRandom(seed), operations: 300, lostOneIn });
      const check = () => checkLinearizable({ model, operations, partitionOf: ({ key }) => key });
      expect(check, `seed ${seed}`).not.toThrow();
    }
  });

  it.each(faults)('are refused with a %s', (fault) => {
    for (const seed of seeds) {
      const operations = simulate({ random: createRandom(seed), operations: 200, fault });
      const check = () => checkLinearizable({ model, operations, partitionOf: ({ key }) => key });
      expect(check, `seed ${seed}`).toThrow('key 0: not linearizable');
    }
  });
});

describe('a violation', () => {
  const operations = simulate({ random: createRandom(1), operations: 200, keys: 1, fault: 'stale read' });

  it('is reduced to a smaller history that is also a violation', () => {
    const reduced = reduce({ model, operations });
    expect(reduced.length).toBeLessThan(operations.length / 2);
    expect(checkHistory({ model, operations: reduced }).verdict).toBe('violation');
    expect(reduced.filter(({ input, output }) => input.verb === 'read' && output !== undefined)).toHaveLength(1);
  });

  it('shows the state and the operations that do not fit', () => {
    const history = historyOf('1-2 write 1: true, 3-4 swap 1 2: true, 5-6 read: 1, 7-8 write 9: true');
    const check = () => checkLinearizable({ model, operations: history, partitionOf: () => 'all' });
    const expected = [
      'all: not linearizable:',
      '       0.0      1.0  client: write key 1: true',
      '       2.0      3.0  client: swap key 1 to 2: true',
      'the state is 2',
      'and none of these can be next (milliseconds of invocation and return; ?: no answer):',
      '       4.0      5.0  client: read key: 1',
    ];
    expect(check).toThrow(expected.join('\n'));
  });

  it('is unknown when the search gives up', () => {
    expect(checkHistory({ model, operations, maxSteps: 10 }).verdict).toBe('unknown');
    const check = () => checkLinearizable({ model, operations, partitionOf: () => 'all', maxSteps: 10 });
    expect(check).toThrow('all: not decided');
  });
});

/** Every write overlaps with every other. Without the set of visited configurations, all orders would be tried. */
it('does not try the same configuration twice', () => {
  const writes = Array.from({ length: 9 }, (_, index) => `1-100 write ${index + 1}: true`);
  const { verdict, steps } = checkHistory({ model, operations: historyOf([...writes, '101-102 read: 0'].join(', ')) });
  expect(verdict).toBe('violation');
  // The last write of each subset determines the state: 9 * 2^8 configurations, each reached in few ways.
  expect(steps).toBeLessThan(30_000);
});
