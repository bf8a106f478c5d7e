import { once } from 'node:events';
import { connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/index.ts';
import { threadCount } from '../shared-store/start-tested-server.ts';
import { TestApi } from '../wire/api.ts';

const path = '/api/v1/namespaces/default';

/** Without a second core, the server has only one thread. */
it.skipIf(availableParallelism() === 1)(
  'a busy server gets additional threads, to which its clients move',
  async () => {
    const server = await startServer({ storage: 'memory', controllers: [], threads: 'auto' });
    const api = new TestApi(server);
    onTestFinished(() => api.stop());
    const agent = new Agent({ ...api.tls, keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const get = async () => {
      const sent = request(new URL(path, api.server.url), { agent }).end();
      const [response] = await once(sent, 'response');
      await response.resume().toArray();
      return { status: response.statusCode, connection: response.headers.connection };
    };
    const session = connect(api.server.url, api.tls);
    onTestFinished(() => session.destroy());
    await once(session, 'connect');
    expect(await get()).toEqual({ status: 200, connection: 'keep-alive' });
    expect(await threadCount(server)).toBe(1);

    // The server runs in the thread of the test, which is now always busy.
    while ((await threadCount(server)) === 1) {
      const busyUntil = performance.now() + 200;
      while (performance.now() < busyUntil);
      await setImmediate();
    }
    expect(await get()).toEqual({ status: 200, connection: 'close' });
    expect(await get()).toEqual({ status: 200, connection: 'keep-alive' });
    const stream = session.request({ ':path': path });
    const goAway = once(session, 'goaway');
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(200);
    const [code] = await goAway;
    expect(code).toBe(0);
  },
);
