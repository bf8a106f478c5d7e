import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './index.ts';

const type = { group: '', version: 'v1', resource: 'configmaps' };
const namespace = 'kube-public';

let parent: TestServer;
beforeAll(async () => {
  parent = await startTestServer({ controllers: [] });
});
afterAll(() => parent.stop());

const objectsOf = async ({ client }: TestServer) => {
  const { items } = await client.resource<{ metadata: { name?: string }; data?: object }>(type, namespace).list();
  return Object.fromEntries(items.map(({ metadata, data }) => [metadata.name, data]));
};

/** A server and its expected objects. */
interface Tracked {
  readonly server: TestServer;
  readonly model: Map<string, object>;
}

async function write({ server, model }: Tracked, name: string, value: string | undefined): Promise<void> {
  const objects = server.client.resource(type, namespace);
  const isPresent = model.has(name);
  if (value === undefined) {
    if (isPresent) await objects.delete(name);
    model.delete(name);
    return;
  }
  if (isPresent) await objects.patch(name, { data: { value } });
  else await objects.create({ metadata: { name }, data: { value } });
  model.set(name, { value });
}

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(fc.nat(9), fc.constantFrom('a', 'b', 'c', 'd'), fc.option(fc.string({ maxLength: 3 }))),
  },
  { weight: 1, arbitrary: fc.tuple(fc.nat(9), fc.constant('fork'), fc.constant(null)) },
  { weight: 1, arbitrary: fc.tuple(fc.nat(9), fc.constantFrom('snapshot', 'restore'), fc.constant(null)) },
);

test('forks are independent, and snapshots bring back what was there', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      const first = await parent.fork();
      const tracked: Tracked[] = [{ server: first, model: new Map(Object.entries(await objectsOf(first))) }];
      const snapshots = new Map<
        Tracked,
        { snapshot: Awaited<ReturnType<TestServer['snapshot']>>; model: Map<string, object> }
      >();
      try {
        for (const [index, what, value] of steps) {
          const target = tracked[index % tracked.length]!;
          const saved = snapshots.get(target);
          if (what === 'fork') {
            if (tracked.length < 3) tracked.push({ server: await target.server.fork(), model: new Map(target.model) });
          } else if (what === 'snapshot') {
            snapshots.set(target, { snapshot: await target.server.snapshot(), model: new Map(target.model) });
          } else if (what === 'restore') {
            if (saved === undefined) continue;
            await target.server.restore(saved.snapshot);
            target.model.clear();
            for (const [name, object] of saved.model) target.model.set(name, object);
          } else await write(target, what, value === null ? undefined : String(value));
        }
        for (const { server, model } of tracked) {
          expect(await objectsOf(server)).toEqual(Object.fromEntries(model));
        }
      } finally {
        await Promise.all(tracked.map(({ server }) => server.stop()));
      }
    }),
    { numRuns: 4 },
  );
});

test('the fork of an embedded store has its objects, and writes none of its files', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fork-'));
  try {
    await using embedded = await startTestServer({ storage: 'embedded', dataDir, controllers: [] });
    await embedded.client.resource(type, namespace).create({ metadata: { name: 'e' }, data: { a: 'b' } });
    const snapshot = await embedded.snapshot();
    await using fork = await embedded.fork();
    expect(fork.dataDir).toBeUndefined();
    expect(await objectsOf(fork)).toMatchObject({ e: { a: 'b' } });
    await fork.client.resource(type, namespace).delete('e');
    expect(await objectsOf(embedded)).toMatchObject({ e: { a: 'b' } });
    await embedded.client.resource(type, namespace).patch('e', { data: { a: 'c' } });
    await embedded.restore(snapshot);
    expect(await objectsOf(embedded)).toMatchObject({ e: { a: 'b' } });
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
