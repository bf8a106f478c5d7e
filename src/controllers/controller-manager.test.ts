import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Client, untilAborted } from '../client/index.ts';
import { startServer } from '../server/index.ts';
import type { Controller } from './controller.ts';
import { type ControllerManagerOptions, runControllers, selectControllers } from './controller-manager.ts';

const leases = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const configMaps = { group: '', version: 'v1', resource: 'configmaps' };

async function startedClient(): Promise<Client> {
  const server = await startServer({ storage: 'memory', controllers: [] });
  onTestFinished(() => server.stop());
  return server.client;
}

/** A controller that only reports when it runs. */
function observed(): { controller: Controller; log: string[] } {
  const log: string[] = [];
  return {
    log,
    controller: {
      name: 'observed',
      async run(_tools, signal) {
        log.push('begins');
        await untilAborted(signal);
        log.push('ends');
      },
    },
  };
}

function manager(client: Client, identity: string, options: Partial<ControllerManagerOptions> = {}) {
  const { controller, log } = observed();
  const stop = new AbortController();
  const errors: string[] = [];
  const done = runControllers(
    {
      client,
      controllers: [controller],
      identity,
      version: '1.2.3',
      report: ({ message }, name) => void errors.push(`${name}: ${message}`),
      ...options,
    },
    stop.signal,
  );
  onTestFinished(async () => {
    stop.abort();
    await done;
  });
  const end = (): Promise<void> => {
    stop.abort();
    return done;
  };
  return { log, errors, end };
}

const running = (log: string[]): Promise<void> => vi.waitFor(() => expect(log.at(-1)).toBe('begins'), { interval: 1 });
const holder = async (client: Client): Promise<unknown> =>
  (await client.resource(leases, 'kube-system').get('keelson-controllers')).spec;

describe('several servers', () => {
  it('run the controllers in one server, and in another after it stops', async () => {
    const client = await startedClient();
    const one = manager(client, 'one');
    await running(one.log);
    // Without an event these would retry much later.
    const election = { timings: { retryMs: 3_600_000 } };
    const two = manager(client, 'two', { election });
    const three = manager(client, 'three', { election });
    expect(await holder(client)).toMatchObject({
      holderIdentity: 'one',
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
    });
    await one.end();
    expect(one.log).toEqual(['begins', 'ends']);
    await vi.waitFor(() => expect([...two.log, ...three.log]).toEqual(['begins']), { interval: 1 });
    const next = two.log.length > 0 ? two : three;
    const last = next === two ? three : two;
    expect(await holder(client)).toMatchObject({ leaseTransitions: 1 });
    await next.end();
    await running(last.log);
    expect([one.errors, two.errors, three.errors]).toEqual([[], [], []]);
  });

  it('take over from a dead server', async () => {
    const client = await startedClient();
    const spec = { holderIdentity: 'dead', leaseDurationSeconds: 1, leaseTransitions: 4 };
    const lease = { metadata: { name: 'keelson-controllers' }, spec };
    await client.resource(leases, 'kube-system').create(lease);
    const { log } = manager(client, 'alive', { election: { timings: { retryMs: 50 } } });
    await vi.waitFor(() => expect(log).toEqual(['begins']));
    expect(await holder(client)).toMatchObject({ holderIdentity: 'alive', leaseTransitions: 5 });
  });

  it('do not wait for the lease when there is no other candidate', async () => {
    const client = await startedClient();
    const spec = { holderIdentity: 'dead', leaseDurationSeconds: 15, leaseTransitions: 0 };
    await client.resource(leases, 'kube-system').create({ metadata: { name: 'keelson-controllers' }, spec });
    const { log } = manager(client, 'alive', { election: { isAlone: true } });
    await running(log);
  });

  it('stop when another server takes the lease, and start again when it is free', async () => {
    const client = await startedClient();
    const { log } = manager(client, 'slow', { election: { timings: { retryMs: 20 } } });
    await running(log);
    const lease = client.resource(leases, 'kube-system');
    const taken = { holderIdentity: 'other', leaseDurationSeconds: 1000 };
    await lease.patch('keelson-controllers', { spec: taken });
    await vi.waitFor(() => expect(log).toEqual(['begins', 'ends']), { interval: 1 });
    await lease.delete('keelson-controllers');
    await vi.waitFor(() => expect(log).toEqual(['begins', 'ends', 'begins']), { interval: 1 });
  });
});

describe('controllers', () => {
  it('are restarted when they fail, and failed work is retried', async () => {
    const client = await startedClient();
    let runs = 0;
    const worked: string[] = [];
    const failing: Controller = {
      name: 'failing',
      async run({ queue: makeQueue }, signal) {
        const queue = makeQueue(async (key) => {
          worked.push(key);
          if (worked.length === 1) throw new Error('not yet');
        });
        if (++runs === 1) throw new Error('no');
        queue.add('key');
        await untilAborted(signal);
      },
    };
    const { errors } = manager(client, 'one', { controllers: [failing] });
    await vi.waitFor(() => expect(worked).toEqual(['key', 'key']));
    expect(errors).toEqual(['failing: no', 'failing: not yet']);
  });

  it('send their names as user agent', async () => {
    const client = await startedClient();
    const agents: (string | undefined)[] = [];
    const recordingClient = new Client((request) => {
      agents.push(request.headers?.['user-agent']);
      return client.fetch(request);
    });
    const writing: Controller = {
      name: 'writing',
      async run(tools, signal) {
        await tools.client.resource(configMaps, 'default').create({ metadata: { name: 'x' }, data: { a: 'b' } });
        await untilAborted(signal);
      },
    };
    manager(recordingClient, 'one', { controllers: [writing] });
    await vi.waitFor(() => client.resource(configMaps, 'default').get('x'));
    // The part before the slash is the manager of the fields that are written.
    expect(new Set(agents)).toEqual(
      new Set(['keelson-controllers/1.2.3 leader-election', 'keelson-controllers/1.2.3 writing']),
    );
  });
});

describe('a selection', () => {
  const controllers: Controller[] = ['a-controller', 'b-controller', 'c-controller'].map((name) => ({
    name,
    aliases: [name.slice(0, 1)],
    run: (_tools, signal) => untilAborted(signal),
  }));
  it.each([
    [['*'], 'a b c'],
    [[], ''],
    [['a-controller'], 'a'],
    [['b', 'a'], 'a b'],
    [['*', '-b'], 'a c'],
    [['-b-controller', '*'], 'a c'],
    [['-b'], ''],
    [['b', '-b', '*'], 'a b c'],
  ])('%j leaves %j', (names, expected) => {
    const found = selectControllers(names, controllers).map(({ name }) => name.slice(0, 1));
    expect(found.join(' ')).toBe(expected);
  });

  it('refuses unknown names', () => {
    expect(() => selectControllers(['*', '-d'], controllers)).toThrow(
      new RangeError('"d" is not in the list of known controllers'),
    );
  });
});
