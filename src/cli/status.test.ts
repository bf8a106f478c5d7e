import { expect, it } from 'vitest';
import { describeServer } from './status.ts';

const now = new Date('2026-01-05T12:00:00Z');
const server = {
  url: 'https://127.0.0.1:6443/',
  apiVersion: 'v1.36.0',
  ready: true,
  checks: 30,
  failing: [],
  problem: undefined,
  status: {
    version: '0.1.0',
    startTime: '2026-01-02T07:58:00.000Z',
    storage: { kind: 'embedded', revision: 4711, compactedRevision: 4000, objects: 1234, bytes: 5.5 * 1024 * 1024 },
    requests: { running: 3, total: 1_234_567, watches: 12 },
    threads: 1,
    memory: { residentBytes: 150 * 1024 * 1024, heapBytes: 40.25 * 1024 * 1024 },
    lastBackup: { time: '2026-01-05T11:59:30Z', file: '/b', revision: 4700, objects: 1200, bytes: 1 },
  },
} as const;

it('describes a server that is ready', () => {
  expect(describeServer(server, now)).toBe(`Keelson 0.1.0 at https://127.0.0.1:6443/ is ready

  API         v1.36.0
  up          3 d 4 h, since 2026-01-02T07:58:00.000Z
  store       embedded, 5.5 MiB, revision 4711, history since 4000
  objects     1,234
  requests    3 running, 1,234,567 since the start
  watches     12
  memory      150.0 MiB, of which heap 40.3 MiB
  last backup 30 s ago, 1,200 objects at revision 4700, /b
  health      30 checks pass
`);
});

it('describes one that is in trouble', () => {
  const failing = ['etcd failed: reason withheld', 'etcd-readiness failed: reason withheld'];
  const text = describeServer({ ...server, ready: false, failing, status: undefined, problem: 'no answer' }, now);
  expect(text).toBe(`The server at https://127.0.0.1:6443/ is not ready

  API         v1.36.0
  status      cannot be read: no answer
  failing     etcd failed: reason withheld
              etcd-readiness failed: reason withheld
`);
});
