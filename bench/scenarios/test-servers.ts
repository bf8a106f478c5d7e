import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Measurement, Scenario } from '../scenario.ts';
import { median } from '../statistics.ts';

const program = join(import.meta.dirname, '..', 'test-servers.ts');
const objects = 10_000;
const many = 50;

interface Taken {
  readonly times: Readonly<Record<'start' | 'fork' | 'restore' | 'stop', readonly number[]>>;
  readonly megabytes: number;
}

/** Servers that run inside the process of a test. */
export const testServersScenario: Scenario = {
  name: 'test-servers',
  run: async ({ options }) => {
    const rounds = options.quick ? 3 : 9;
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...[objects, rounds, many].map(String)]);
    const { times, megabytes } = JSON.parse(stdout) as Taken;
    const row = (name: keyof Taken['times'], title: string, goal: number): Measurement => ({
      name: `test-server-${name}`,
      title,
      unit: 'ms',
      better: 'lower',
      goal: { absolute: goal },
      ours: median(times[name]),
      detail: { lowest: Math.min(...times[name]), highest: Math.max(...times[name]) },
    });
    const shown = objects.toLocaleString('en');
    return [
      row('start', 'test server, start', 300),
      row('fork', `test server, fork with ${shown} objects`, 20),
      row('restore', `test server, restore of 20 of ${shown} objects`, 20),
      row('stop', 'test server, stop', 50),
      {
        name: 'test-server-memory',
        title: `RSS, ${many} test servers in one process`,
        unit: 'MB',
        better: 'lower',
        goal: { absolute: 600 },
        ours: megabytes,
        detail: { perServer: megabytes / many },
      },
    ];
  },
};
