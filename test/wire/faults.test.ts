import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testedThreads } from '../shared-store/start-tested-server.ts';
import { TestApi } from './api.ts';
import { add, clear, configMap, log, place, root, startFaultServer } from './fault-rules.ts';

/** With several threads, clients use a new connection for each request. */
const clientsStayConnected = testedThreads === 1;

let api: TestApi;
beforeAll(async () => {
  api = await startFaultServer();
});
afterAll(() => api.stop());
afterEach(() => clear(api));

describe('who may set faults', () => {
  it('needs the permission for the path', async () => {
    const headers = { 'impersonate-user': 'alice' };
    for (const [method, path] of [
      ['GET', root],
      ['POST', root],
      ['PUT', root],
      ['DELETE', root],
      ['GET', `${root}/log`],
      ['POST', `${root}/compact`],
    ] as const) {
      const { status, body } = await api.call(method, path, { headers, ...(method === 'POST' && { body: {} }) });
      expect([method, path, status, body.message]).toEqual([
        method,
        path,
        403,
        `forbidden: User "alice" cannot ${method.toLowerCase()} path "${path}"`,
      ]);
    }
  });

  it('can be given to others', async () => {
    const rule = { nonResourceURLs: [`${root}*`], verbs: ['get', 'post'] };
    await api.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name: 'faults' }, rules: [rule] });
    await api.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'faults' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'faults' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'tester' }],
    });
    const headers = { 'impersonate-user': 'tester' };
    await expect.poll(async () => (await api.get(root, { headers })).status).toBe(200);
    expect((await api.delete(root, { headers })).status).toBe(403);
  });

  it('is no user without the flag', async () => {
    const plain = await TestApi.start();
    try {
      expect(await plain.get(root)).toMatchObject({ status: 404, text: '404 page not found\n' });
      expect((await plain.post(root, { action: { type: 'hold' } })).status).toBe(404);
      expect((await plain.get('/')).body.paths).not.toContain(root);
    } finally {
      await plain.stop();
    }
  });
});

describe('the rules', () => {
  const status503 = { type: 'status', code: 503 };

  it('can be added, listed, replaced and removed', async () => {
    const match = { resource: 'secrets' };
    expect(await add(api, { id: 'one', match, action: status503 })).toEqual({
      id: 'one',
      match,
      action: status503,
      matched: 0,
      affected: 0,
    });
    const { id } = await add(api, { match, action: { type: 'hold' } });
    expect((await api.get(root)).body.rules.map((rule: { id: string }) => rule.id)).toEqual(['one', id]);
    expect((await api.put(`${root}/one`, { match, first: 2, action: status503 })).body).toMatchObject({ first: 2 });
    expect((await api.get(`${root}/one`)).body).toMatchObject({ id: 'one', first: 2 });
    expect((await api.delete(`${root}/${id}`)).body).toMatchObject({ id, action: { type: 'hold' } });
    expect(await api.delete(`${root}/${id}`)).toMatchObject({ status: 404, body: { reason: 'NotFound' } });
    const plan = { rules: [{ id: 'x', match, action: status503 }] };
    expect((await api.put(root, plan)).body.rules).toMatchObject(plan.rules);
    expect((await api.put(root, { rules: [{ action: {} }] })).status).toBe(400);
    expect((await api.get(root)).body.rules).toMatchObject(plan.rules);
    expect((await api.delete(root)).body).toEqual({ rules: [] });
  });

  it('are listed at the root, and have no other methods', async () => {
    expect((await api.get('/')).body.paths).toEqual(expect.arrayContaining([root, `${root}/log`]));
    expect((await api.patch(root, {})).status).toBe(405);
    expect((await api.post(`${root}/log`, {})).status).toBe(405);
    expect((await api.get(`${root}/compact`)).status).toBe(405);
  });

  const action = { type: 'hold' };
  it.each<[unknown, string]>([
    ['{', "the body is not JSON: Expected property name or '}' in JSON at position 1"],
    ['1', 'the body must be a JSON object'],
    [[], 'the fault rule is invalid: must be an object'],
    [{}, 'the fault rule is invalid: action: is required'],
    [{ action: {} }, 'the fault rule is invalid: action.type: must be one of status, delay, hold, drop, '],
    [{ action: { type: 'explode' } }, 'the fault rule is invalid: action.type: must be one of '],
    [{ action, what: 1 }, 'what: unknown field, use id, match, nth, first, probability, seed, action'],
    [{ action: { type: 'status' } }, 'action.code: is required'],
    [{ action: { type: 'status', code: 200 } }, 'action.code: must be an integer between 400 and 599'],
    [{ action: { type: 'status', code: 500, reason: '' } }, 'action.reason: must be a non-empty string'],
    [{ action: { type: 'hold', ms: 1 } }, 'action.ms: unknown field, use none'],
    [{ action: { type: 'delay', ms: -1 } }, 'action.ms: must be an integer between 0 and 86400000'],
    [{ action: { type: 'delay', ms: [2, 1] } }, 'action.ms: must be a range such as [100, 200]'],
    [{ action: { type: 'drop' } }, 'action.when: is required'],
    [{ action: { type: 'drop', when: 'later' } }, 'action.when: must be one of before, after'],
    [{ action: { type: 'staleRead', resourceVersion: '0' } }, 'action.resourceVersion: must be a resource version'],
    [{ action: { type: 'endWatch', afterEvents: 0.5 } }, 'action.afterEvents: must be an integer of at least 0'],
    [{ action: { type: 'endWatch', status: { code: 1 } } }, 'action.status.code: must be an integer between 400 and'],
    [{ action: { type: 'refuseConnections' } }, 'refuseConnections needs first or ms'],
    [{ action: { type: 'refuseConnections', ms: 1 }, match: {} }, 'match: connections have no request to match'],
    [{ action: { type: 'closePort' } }, 'action.ms: is required'],
    [{ action: { type: 'closePort', ms: 1 }, first: 1 }, 'first: a closed port counts no connections'],
    [{ action, match: { verb: 1 } }, 'match.verb: must be a string or a list of strings'],
    [{ action, match: { verbs: ['get'] } }, 'match.verbs: unknown field, use user, verb, group'],
    [{ action, match: { path: 'version' } }, 'match.path: must be a path or a list of paths'],
    [{ action, match: { path: '/version', name: 'a' } }, 'match.path excludes match.name'],
    [{ action, nth: 0 }, 'nth: must be an integer of at least 1, or a list of them'],
    [{ action, nth: 1, first: 1 }, 'nth and first are mutually exclusive'],
    [{ action, nth: 1, probability: 0.5 }, 'nth and probability are mutually exclusive'],
    [{ action, probability: 2 }, 'probability: must be a number from 0 to 1'],
    [{ action, seed: 3 }, 'seed: nothing in this rule is random'],
    [{ action, id: 'a/b' }, 'id: must have 1 to 63 letters'],
    [{ action, id: 'log' }, 'id: log and compact are reserved'],
  ])('are refused if they make no sense: %j', async (body, message) => {
    expect(await api.post(root, body)).toMatchObject({
      status: 400,
      body: { kind: 'Status', reason: 'BadRequest', message: expect.stringContaining(message) },
    });
  });

  it('meet only what they match', async () => {
    const { namespace, path } = await place(api);
    const affects = async (match: object, call: () => Promise<{ status: number }>): Promise<boolean> => {
      await add(api, { id: 'm', match, action: { type: 'status', code: 418 } });
      return (await call()).status === 418;
    };
    const get = () => api.get(`${path}/a`);
    const user = 'kubernetes-admin';
    const one = { group: '', resource: 'configmaps', subresource: '', namespace, name: 'a', verb: 'get', user };
    expect(await affects(one, get)).toBe(true);
    for (const [key, value] of Object.entries(one)) {
      expect([key, await affects({ ...one, [key]: 'other' }, get)]).toEqual([key, false]);
      expect([key, await affects({ ...one, [key]: ['other', value] }, get)]).toEqual([key, true]);
      expect([key, await affects({ ...one, [key]: '*' }, get)]).toEqual([key, true]);
    }
    expect(await affects({}, get)).toBe(true);
    // The name of a resource does not include its subresources.
    const status = () => api.get(`/api/v1/namespaces/${namespace}/status`);
    expect(await affects({ resource: 'namespaces', name: namespace }, status)).toBe(false);
    expect(await affects({ resource: 'namespaces', subresource: 'status' }, status)).toBe(true);
    const version = () => api.get('/version');
    expect(await affects({}, version)).toBe(false);
    expect(await affects({ path: '/version' }, version)).toBe(true);
    expect(await affects({ path: '/ver*' }, version)).toBe(true);
    expect(await affects({ path: '*' }, get)).toBe(false);
    // Faults affect neither the API for faults nor the requests of the server itself.
    expect(await affects({ path: '*' }, () => api.get(root))).toBe(false);
  });
});

describe('an answer', () => {
  it('has the given status', async () => {
    const { namespace, path } = await place(api);
    const status = { code: 429, reason: 'TooManyRequests', message: 'slow down', retryAfterSeconds: 7 };
    const match = { namespace, resource: 'configmaps', verb: 'create' };
    const { id } = await add(api, { match, nth: 2, action: { type: 'status', ...status } });
    expect((await api.post(path, configMap('b'))).status).toBe(200);
    const refused = await api.post(path, configMap('c'));
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '7' },
      body: { kind: 'Status', status: 'Failure', reason: 'TooManyRequests', message: 'slow down', code: 429 },
    });
    expect((await api.post(path, configMap('c'))).status).toBe(200);
    expect((await api.get(`${root}/${id}`)).body).toMatchObject({ matched: 3, affected: 1 });
    expect(await log(api)).toEqual([
      {
        sequence: 1,
        rule: id,
        action: 'status',
        match: 2,
        request: {
          user: 'kubernetes-admin',
          verb: 'create',
          path,
          target: { group: '', resource: 'configmaps', subresource: '', namespace, name: '' },
        },
      },
    ]);
  });

  it.each([
    [403, 'Forbidden'],
    [409, 'Conflict'],
    [410, 'Expired'],
    [500, 'InternalError'],
    [503, 'ServiceUnavailable'],
    [504, 'Timeout'],
    [418, undefined],
  ])('has, for code %i, the reason %s', async (code, reason) => {
    const { path, namespace } = await place(api);
    await add(api, { match: { namespace }, action: { type: 'status', code } });
    const { status, body } = await api.get(path);
    expect([status, body.reason]).toEqual([code, reason]);
  });

  it('can be held until the rule is gone, and is then the usual one', async () => {
    const { path, namespace } = await place(api);
    const { id } = await add(api, { match: { namespace, verb: 'update' }, action: { type: 'hold' } });
    const update = api.put(`${path}/a`, configMap('a', { x: '1' }));
    await expect.poll(() => log(api)).toHaveLength(1);
    expect((await api.get(`${path}/a`)).body.data).toBeUndefined();
    await api.delete(`${root}/${id}`);
    expect((await update).body.data).toEqual({ x: '1' });
  });

  it('can be late', async () => {
    const { path, namespace } = await place(api);
    await add(api, { match: { namespace }, action: { type: 'delay', ms: 30 } });
    await add(api, { match: { namespace }, seed: 3, action: { type: 'delay', ms: [10, 20] } });
    const started = performance.now();
    expect((await api.get(`${path}/a`)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(35);
  });

  it('can be lost before and after the write', async () => {
    const { path, namespace } = await place(api);
    await add(api, { match: { namespace, verb: 'create' }, nth: 1, action: { type: 'drop', when: 'before' } });
    await add(api, { match: { namespace, verb: 'create' }, nth: 2, action: { type: 'drop', when: 'after' } });
    await expect(api.post(path, configMap('b'))).rejects.toThrow(/hang up|ECONNRESET/);
    expect((await api.get(`${path}/b`)).status).toBe(404);
    await expect(api.post(path, configMap('b'))).rejects.toThrow(/hang up|ECONNRESET/);
    expect((await api.get(`${path}/b`)).status).toBe(200);
    expect(await api.post(path, configMap('b'))).toMatchObject({ status: 409, body: { reason: 'AlreadyExists' } });
  });

  it('combines faults until one ends the request', async () => {
    const { path, namespace } = await place(api);
    for (const [id, action] of Object.entries({
      late: { type: 'delay', ms: 1 },
      refused: { type: 'status', code: 500 },
      never: { type: 'drop', when: 'before' },
    })) {
      await add(api, { id, match: { namespace }, action });
    }
    expect((await api.get(path)).status).toBe(500);
    expect((await log(api)).map(({ rule }) => rule)).toEqual(['late', 'refused']);
    expect((await api.get(`${root}/never`)).body).toMatchObject({ matched: 1, affected: 1 });
  });

  it('repeats with the seed', async () => {
    const { path, namespace } = await place(api);
    const play = async (seed: number): Promise<boolean[]> => {
      await add(api, { id: 'r', match: { namespace }, probability: 0.5, seed, action: { type: 'status', code: 500 } });
      const outcomes: boolean[] = [];
      for (let index = 0; index < 20; index++) outcomes.push((await api.get(path)).status === 200);
      return outcomes;
    };
    const first = await play(7);
    const written = await log(api);
    await api.delete(`${root}/log`);
    expect(await play(7)).toEqual(first);
    expect(await log(api)).toEqual(written);
    expect(new Set(first).size).toBe(2);
    expect(await play(8)).not.toEqual(first);
  });
});

describe('connections', () => {
  const failure = (): Promise<string | undefined> =>
    new Promise((resolve) => {
      const port = Number(new URL(api.server.url).port);
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        socket.destroy();
        resolve(undefined);
      });
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });

  it.skipIf(!clientsStayConnected)('are refused while the port is closed, and open ones stay', async () => {
    const { id } = await add(api, { action: { type: 'closePort', ms: 60_000 } });
    expect(await failure()).toBe('ECONNREFUSED');
    expect((await api.get('/version')).status).toBe(200);
    expect(await log(api)).toMatchObject([{ rule: id, action: 'closePort', match: 1 }]);
    const other = await add(api, { action: { type: 'closePort', ms: 60_000 } });
    await api.delete(`${root}/${id}`);
    expect(await failure()).toBe('ECONNREFUSED');
    await api.delete(`${root}/${other.id}`);
    await expect.poll(failure).toBeUndefined();
    await add(api, { action: { type: 'closePort', ms: 1 } });
    await expect.poll(failure).toBeUndefined();
  });
});

it.skipIf(!clientsStayConnected)('refuses connections', async () => {
  const connection = (): Promise<boolean> =>
    new Promise((resolve) => {
      const port = Number(new URL(api.server.url).port);
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
  await add(api, { first: 2, action: { type: 'refuseConnections' } });
  expect([await connection(), await connection()]).toEqual([false, false]);
  await expect.poll(() => log(api)).toHaveLength(2);
  expect(await connection()).toBe(true);
  expect(await log(api)).toMatchObject([{ action: 'refuseConnections', match: 1 }, { match: 2 }]);
});
