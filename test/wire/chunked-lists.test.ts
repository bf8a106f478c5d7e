import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

interface List {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly { readonly metadata: { readonly name: string; readonly namespace: string } }[];
}

const names = (list: List): string[] => list.items.map(({ metadata }) => metadata.name);

async function page(path: string): Promise<List> {
  const { status, body } = await api.get(path);
  expect(status).toBe(200);
  return body;
}

/** Returns all pages of a list, one after the other. `between` runs after each page. */
async function pages(path: string, between: (count: number) => Promise<unknown> = async () => {}): Promise<List[]> {
  const all = [await page(path)];
  for (;;) {
    await between(all.length);
    const { continue: token } = all.at(-1)!.metadata;
    if (token === '') return all;
    all.push(await page(`${path}&continue=${token}`));
  }
}

const labelled = {
  a: { tier: 'web' },
  b: { tier: 'db' },
  c: { tier: 'web' },
  d: { tier: 'db' },
  e: { tier: 'web' },
};

describe('the pages of a list', () => {
  it('show one state, whatever is written between them', async () => {
    const path = await api.configMaps('one-state', labelled);
    const writes = [
      () => Promise.all([api.delete(`${path}/d`), api.post(path, { metadata: { name: 'cc' } })]),
      () => Promise.all([api.patch(`${path}/e`, { data: { k: 'new' } }), api.post(path, { metadata: { name: 'f' } })]),
      async () => {},
    ];
    const all = await pages(`${path}?limit=2`, (count) => writes[count - 1]!());
    expect(all.map(names)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(all[2]!.items[0]).not.toHaveProperty('data');
    expect(new Set(all.map(({ metadata }) => metadata.resourceVersion)).size).toBe(1);
    expect(names(await page(path))).toEqual(['a', 'b', 'c', 'cc', 'e', 'f']);
  });

  it('go over all namespaces, and over types without any', async () => {
    await api.configMaps('wide-1', { x: { wide: 'y' }, y: { wide: 'y' } });
    await api.configMaps('wide-2', { x: { wide: 'y' } });
    const objects = await pages('/api/v1/configmaps?limit=1&labelSelector=wide');
    expect(
      objects.flatMap(({ items }) => items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)),
    ).toEqual(['wide-1/x', 'wide-1/y', 'wide-2/x']);
    const whole = names(await page('/api/v1/namespaces'));
    expect((await pages('/api/v1/namespaces?limit=3')).flatMap(names)).toEqual(whole);
  });

  it('may each have another limit, or none', async () => {
    const path = await api.configMaps('limits', labelled);
    const { continue: token, resourceVersion } = (await page(`${path}?limit=1`)).metadata;
    expect(names(await page(`${path}?limit=3&continue=${token}`))).toEqual(['b', 'c', 'd']);
    expect(names(await page(`${path}?limit=1&continue=${token}`))).toEqual(['b']);
    const rest = await page(`${path}?continue=${token}`);
    expect(names(rest)).toEqual(['b', 'c', 'd', 'e']);
    expect(rest.metadata).toEqual({ resourceVersion, continue: '' });
  });

  it.each(['limit=1', 'limit=2', 'limit=3', 'limit=5', 'limit=6'])('are never empty at the end: %s', async (limit) => {
    const path = await api.configMaps('ends', labelled);
    const all = await pages(`${path}?${limit}`);
    expect(all.flatMap(names)).toEqual(Object.keys(labelled));
    expect(all.every(({ items }) => items.length > 0)).toBe(true);
  });

  it.each(['limit=0', 'limit=-1', 'limit=100', ''])('are one page without a limit that matters: %s', async (query) => {
    const path = await api.configMaps('one-page', labelled);
    const list = await page(`${path}?${query}`);
    expect(names(list)).toEqual(Object.keys(labelled));
    expect(list.metadata).toEqual({ resourceVersion: expect.stringMatching(/^\d+$/), continue: '' });
  });

  it.each(['resourceVersion=0', 'resourceVersion=0&resourceVersionMatch=NotOlderThan'])(
    'are cut at the limit with %s too',
    async (query) => {
      const path = await api.configMaps('any-version', labelled);
      const first = await page(`${path}?limit=2&${query}`);
      expect(names(first)).toEqual(['a', 'b']);
      expect(names(await page(`${path}?limit=2&continue=${first.metadata.continue}`))).toEqual(['c', 'd']);
    },
  );

  it.each(['abc', '', '1.5', '99999999999999999999'])('cannot have a limit of %j', async (limit) => {
    const { status, body } = await api.get(`/api/v1/configmaps?limit=${limit}`);
    expect(status).toBe(400);
    expect(body.reason).toBe('BadRequest');
    expect(body.message).toMatch(/^strconv.ParseInt: parsing ".*": (invalid syntax|value out of range)$/);
  });
});

describe('remainingItemCount', () => {
  it('says how many are left, and is absent at the end', async () => {
    const path = await api.configMaps('remaining', labelled);
    const all = await pages(`${path}?limit=2`, () => api.post(path, { metadata: { generateName: 'later-' } }));
    expect(all.map(({ metadata }) => metadata.remainingItemCount)).toEqual([3, 1, undefined]);
    expect(all[2]!.metadata).not.toHaveProperty('remainingItemCount');
  });

  it('counts all namespaces when all are listed', async () => {
    const whole = (await page('/api/v1/configmaps')).items.length;
    expect((await page('/api/v1/configmaps?limit=1')).metadata.remainingItemCount).toBe(whole - 1);
  });

  it.each(['labelSelector=tier', 'fieldSelector=metadata.namespace%3Dselected', 'fieldSelector=metadata.name!%3Dc'])(
    'is absent with %s',
    async (selector) => {
      const path = await api.configMaps('selected', labelled);
      const all = await pages(`${path}?limit=2&${selector}`);
      expect(all.length).toBeGreaterThan(1);
      for (const { metadata } of all) expect(metadata).not.toHaveProperty('remainingItemCount');
    },
  );
});

describe('a list with selectors', () => {
  it('pages are cut at matches, and may be short or empty only at the end', async () => {
    const path = await api.configMaps('matches', { ...labelled, f: {}, g: {} });
    const all = await pages(`${path}?limit=2&labelSelector=tier%3Dweb`);
    expect(all.flatMap(names)).toEqual(['a', 'c', 'e']);
    for (const list of all.slice(0, -1)) expect(list.metadata.continue).not.toBe('');
    expect(all.every(({ items }) => items.length <= 2)).toBe(true);
    expect(new Set(all.map(({ metadata }) => metadata.resourceVersion)).size).toBe(1);
    // There are two matches, followed by objects that do not match. A client that follows the token finds no further
    // matches, but reaches the end.
    const two = await pages(`${path}?limit=2&labelSelector=tier%3Ddb`);
    expect(two.flatMap(names)).toEqual(['b', 'd']);
    expect(two.at(-1)!.metadata.continue).toBe('');
  });

  it('a token goes on under another selector', async () => {
    const path = await api.configMaps('other-selector', labelled);
    const { continue: token } = (await page(`${path}?limit=2`)).metadata;
    expect(names(await page(`${path}?labelSelector=tier%3Dweb&continue=${token}`))).toEqual(['c', 'e']);
  });

  it('one name is one page', async () => {
    const path = await api.configMaps('one-name', labelled);
    const list = await page(`${path}?limit=1&fieldSelector=metadata.name%3Dc`);
    expect(names(list)).toEqual(['c']);
    expect(list.metadata.continue).toBe('');
  });
});

describe('a token', () => {
  it('continues at the same key in a list of another type', async () => {
    const path = await api.configMaps('elsewhere', labelled);
    const secrets = path.replace('configmaps', 'secrets');
    for (const name of ['a', 'b', 'c', 'd']) await api.post(secrets, { metadata: { name } });
    const { continue: token, resourceVersion } = (await page(`${path}?limit=2`)).metadata;
    await api.delete(`${secrets}/c`);
    const list = await page(`${secrets}?continue=${token}`);
    expect(list.metadata.resourceVersion).toBe(resourceVersion);
    expect(names(list)).toEqual(['c', 'd']);
  });

  it.each([
    ['nonsense', /^invalid continue token: continue key is not valid: /],
    ['%25%25', /^invalid continue token: continue key is not valid: illegal base64 data/],
    ['aGVsbG8', /^invalid continue token: continue key is not valid: /],
    ['e30', /^invalid continue token: continue key is not valid: /],
    ['bnVsbA', /^invalid continue token: continue key is not valid: /],
  ])('is refused if it is invalid: %s', async (token, message) => {
    const { status, body } = await api.get(`/api/v1/configmaps?continue=${token}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ kind: 'Status', reason: 'BadRequest', message: expect.stringMatching(message) });
  });

  it('is refused, or means the same as before, if it was changed anywhere', async () => {
    const path = await api.configMaps('tampered', labelled);
    const first = await page(`${path}?limit=2`);
    // Creates other states than that of the token. A modified token must not show them.
    await api.delete(`${path}/d`);
    await api.post(path, { metadata: { name: 'cc' } });
    const token = first.metadata.continue;
    const expected = (await api.get(`${path}?limit=2&continue=${token}`)).text;
    const changed = [...token].flatMap((character, index) => {
      const others = ['A', 'Q', 'w', '5', '_'].filter((other) => other !== character);
      return others.map((other) => token.slice(0, index) + other + token.slice(index + 1));
    });
    const cut = Array.from({ length: token.length - 1 }, (_, index) => token.slice(0, index + 1));
    const responses: ApiResponse[] = [];
    for (const other of [...changed, ...cut, `${token}A`]) {
      responses.push(await api.get(`${path}?limit=2&continue=${other}`));
    }
    const wrong = responses.filter(({ status, text }) => status !== 400 && !(status === 200 && text === expected));
    expect(wrong.map(({ status, body }) => `${status} ${body.message ?? names(body)}`)).toEqual([]);
  });
});
