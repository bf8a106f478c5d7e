import { expect, it, onTestFinished, vi } from 'vitest';
import type { ServerOptions } from '../../src/index.ts';
import { TestApi } from './api.ts';

interface Line {
  readonly level: string;
  readonly message: string;
  // biome-ignore lint/suspicious/noExplicitAny: fields of every kind
  readonly fields: any;
}

async function start(options: ServerOptions, { debug }: { debug: boolean }) {
  const lines: Line[] = [];
  const note =
    (level: string) =>
    (message: string, fields: object = {}) => {
      lines.push({ level, message, fields });
    };
  const log = {
    ...(debug && { debug: note('debug') }),
    info: note('info'),
    error: note('error'),
    flush: () => Promise.resolve(),
  };
  const api = await TestApi.start({ ...options, log });
  onTestFinished(() => api.stop());
  const linesOf = (path: string) => lines.filter(({ fields }) => fields.path === path);
  return { api, linesOf };
}

/** Waits for lines of additional threads, which the first thread logs a moment later. */
async function logged(lines: () => readonly Line[]): Promise<void> {
  await vi.waitUntil(() => lines().length > 0, { interval: 5 });
}

const path = '/api/v1/namespaces/default/configmaps';
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

it('logs requests at the level debug, with the durations of their stages', async () => {
  const { api, linesOf } = await start({}, { debug: true });
  await api.call('POST', `${path}?fieldManager=me`, {
    body: configMap,
    headers: { 'audit-id': 'mine', 'user-agent': 'tester/1' },
  });
  await logged(() => linesOf(path));
  const [line, ...others] = linesOf(path);
  expect(others).toEqual([]);
  expect(line).toMatchObject({
    level: 'debug',
    message: 'request',
    fields: {
      method: 'POST',
      verb: 'create',
      status: 200,
      user: 'kubernetes-admin',
      userAgent: 'tester/1',
      auditId: 'mine',
    },
  });
  const { ms, stages } = line!.fields;
  expect(Object.keys(stages)).toEqual(['body', 'storage', 'response']);
  const sum = Object.values<number>(stages).reduce((one, other) => one + other, 0);
  expect(sum).toBeCloseTo(ms, 1);
  expect(JSON.stringify(line)).not.toContain('fieldManager');
});

it('logs slow requests at the level info', async () => {
  const { api, linesOf } = await start({ slowRequestThresholdMs: 0.001 }, { debug: false });
  await api.get(path);
  await logged(() => linesOf(path));
  expect(linesOf(path)).toMatchObject([
    { level: 'info', message: 'slow request', fields: { status: 200, verb: 'list' } },
  ]);
});

it('logs no other requests', async () => {
  const { api, linesOf } = await start({ slowRequestThresholdMs: 0 }, { debug: false });
  await api.get(path);
  expect(linesOf(path)).toEqual([]);
});
