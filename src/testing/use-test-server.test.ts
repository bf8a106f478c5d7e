import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jestEnvironment, type TestHooks, type TestServer, useTestServer } from './index.ts';

const type = { group: '', version: 'v1', resource: 'configmaps' };
const reports: string[] = [];
const onFailure = (report: string): void => void reports.push(report);

describe('vitest', () => {
  const kit = useTestServer({ beforeAll, beforeEach, afterEach, afterAll }, { onFailure });
  const configMaps = () => kit.server.client.as('author/1').resource(type, 'default');
  beforeAll(async () => {
    await configMaps().create({ metadata: { name: 'of-the-file' } });
  });

  test.each(['first', 'second'])('the %s test begins with the objects of the file', async () => {
    await expect(configMaps().get('of-the-file')).resolves.toBeDefined();
    await expect(configMaps().get('of-a-test')).rejects.toMatchObject({ code: 404 });
    await configMaps().create({ metadata: { name: 'of-a-test' } });
    await configMaps().delete('of-the-file');
  });

  test('a failure is reported', async () => {
    const failing = kit.reported(async (server) => {
      await server.client
        .as('author/1')
        .resource(type, 'default')
        .create({ metadata: { name: 'wrong' }, data: { a: 'b' } });
      throw new Error('as expected');
    });
    await expect(failing()).rejects.toThrow('as expected');
    expect(reports.splice(0)).toEqual([
      expect.stringMatching(
        /created configmaps\/default\/wrong\n {4}by author Update at .*\n.*\nThe last requests:\n {2}POST \/api\/v1\/namespaces\/default\/configmaps 200/,
      ),
    ]);
  });
});

/** The hooks of a runner, called as its documentation specifies. */
function runner() {
  const hooks: Record<string, ((context?: unknown) => Promise<void>)[]> = {};
  const hook = (name: string) => (run: (context?: unknown) => Promise<void>) => {
    hooks[name] = [...(hooks[name] ?? []), run];
  };
  const call = async (name: string, context?: unknown) => {
    for (const run of hooks[name] ?? []) await run(context);
  };
  return { hook, call };
}

test.each([
  ['vitest', ['beforeAll', 'afterAll'], { task: { result: { state: 'fail' } } }, 1],
  ['vitest', ['beforeAll', 'afterAll'], { task: { result: { state: 'pass' } } }, 0],
  ['node:test', ['before', 'after'], { error: new Error('no'), passed: false }, 1],
  ['node:test', ['before', 'after'], { error: null, passed: true }, 0],
  ['jest', ['beforeAll', 'afterAll'], undefined, 0],
] as const)('the hooks of %s (%s, %o) report %i failures', async (_name, [first, last], context, count) => {
  const { hook, call } = runner();
  const hooks = Object.fromEntries([first, 'beforeEach', 'afterEach', last].map((name) => [name, hook(name)]));
  const kit = useTestServer(hooks as unknown as TestHooks, { onFailure });
  expect(() => kit.server).toThrow('only inside of tests and hooks');
  await call(first);
  await call('beforeEach');
  await kit.server.client.resource(type, 'default').create({ metadata: { name: 'a' } });
  await call('afterEach', context);
  await call('beforeEach');
  await expect(kit.server.client.resource(type, 'default').get('a')).rejects.toMatchObject({ code: 404 });
  await call(last);
  expect(reports.splice(0)).toHaveLength(count);
});

test('the environment of jest follows its events', async () => {
  const seen: string[] = [];
  class Base {
    readonly global: { keelson?: { server: TestServer } } = {};
    async setup() {}
    async teardown() {}
    handleTestEvent({ name }: { name: string }) {
      seen.push(name);
    }
  }
  const environment = new (jestEnvironment(Base, { onFailure }))();
  const event = (name: string, ...errors: Error[]) =>
    environment.handleTestEvent({ name, test: { name: 'a test', errors } } as { name: string });
  await environment.setup();
  const { server } = environment.global.keelson!;
  for (const errors of [[new Error('no')], []]) {
    await event('test_start');
    await server.client.resource(type, 'default').create({ metadata: { name: 'a' } });
    await event('test_done', ...errors);
  }
  await environment.teardown();
  expect(seen).toEqual(['test_start', 'test_done', 'test_start', 'test_done']);
  expect(reports.splice(0)).toEqual([expect.stringMatching(/^The test "a test" has failed.*\n {2}created configmaps/)]);
});
