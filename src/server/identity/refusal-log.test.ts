import { expect, it } from 'vitest';
import { RefusalLog } from './refusal-log.ts';

function refusals() {
  const lines: object[] = [];
  const clock = { now: 0 };
  const log = { info: (_text: string, fields?: object) => void lines.push(fields ?? {}) };
  return { lines, clock, refused: new RefusalLog({ log, now: () => clock.now }) };
}

it('logs ten refusals of a client in a minute, and how many it has left out', () => {
  const { lines, clock, refused } = refusals();
  for (let count = 0; count < 25; count++) refused.add('bad', '10.0.0.1');
  expect(lines).toEqual(Array(10).fill({ reason: 'bad', source: '10.0.0.1' }));
  refused.add('bad', '10.0.0.2');
  expect(lines).toHaveLength(11);
  clock.now = 60_000;
  refused.add('bad', '10.0.0.1');
  expect(lines.at(-1)).toEqual({ reason: 'bad', source: '10.0.0.1', unlogged: 15 });
});

it('remembers 1,000 clients, and lets the others share their lines', () => {
  const { lines, clock, refused } = refusals();
  for (let client = 0; client < 1000; client++) refused.add('bad', `client-${client}`);
  for (let client = 1000; client < 2000; client++) refused.add('bad', `client-${client}`);
  expect(lines).toHaveLength(1010);
  clock.now = 60_000;
  refused.add('bad', 'client-3000');
  expect(lines.at(-1)).toEqual({ reason: 'bad', source: 'client-3000' });
});
