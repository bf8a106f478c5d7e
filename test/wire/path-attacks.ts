import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApi } from './api.ts';
import { marker, type TwoNamespaces, twoNamespaces } from './two-namespaces.ts';

const planted = JSON.stringify({ metadata: { name: 'planted' } });

export interface RawRequest {
  readonly method: string;
  /** Sent unchanged. */
  readonly target: string;
  readonly token: string;
  readonly body?: string;
}

/** Sends requests on one connection while it stays open. Returns the response to each. */
export type SendRaw = (api: TestApi, requests: readonly RawRequest[]) => Promise<string[]>;

const root = '/api/v1/namespaces';
/** Paths that try to read the secrets of another namespace. */
const targets = [
  `${root}/b/secrets`,
  `${root}/b/secrets/`,
  `${root}/b/secrets//`,
  `${root}/ab/secrets`,
  `${root}/a.b/secrets`,
  `${root}/%62/secrets`,
  `${root}/b/%73ecrets`,
  `${root}/b%2fsecrets`,
  `/api/v1%2fnamespaces%2fb%2fsecrets`,
  `${root}/a/../b/secrets`,
  `${root}/a/..%2fb/secrets`,
  `${root}/a%2f..%2fb/secrets`,
  `${root}/a/%2e%2e/b/secrets`,
  `${root}/a/%2E%2E%2Fb/secrets`,
  `${root}/a/secrets/../../b/secrets`,
  `${root}/a/secrets%2f..%2f..%2fb%2fsecrets`,
  `${root}/a/secrets/%2e%2e/%2e%2e/b/secrets`,
  `${root}/a/secrets/..`,
  `${root}/a/secrets/%2e%2e%2fb%2fone`,
  `${root}/a/secrets/..%252fb`,
  `${root}/a%252f..%252fb/secrets`,
  `${root}/a/./../b/secrets`,
  `${root}/./b/secrets`,
  `${root}/a/.../b/secrets`,
  `${root}/a/..;/b/secrets`,
  `${root}/a;/../b/secrets`,
  `${root}/b;a/secrets`,
  `${root}/a%3b/../b/secrets`,
  `${root}/a/secrets;/../../b/secrets`,
  `/${root}/b/secrets`,
  `//x${root}/b/secrets`,
  `///api/v1/namespaces/b/secrets`,
  `/api//v1/namespaces/b/secrets`,
  `/api/v1//namespaces/b/secrets`,
  `${root}//b/secrets`,
  `${root}/b//secrets`,
  `${root}//secrets`,
  `${root}/a//b/secrets`,
  `${root}/a/namespaces/b/secrets`,
  `${root}/a/secrets/one/namespaces/b/secrets`,
  `${root}/a\\..\\b/secrets`,
  `\\api\\v1\\namespaces\\b\\secrets`,
  `${root}/a%5c..%5cb/secrets`,
  `${root}/a%00/../b/secrets`,
  `${root}/a%00b/secrets`,
  `${root}/b%00/secrets`,
  `${root}/b%00a/secrets/one`,
  `${root}/a/secrets%00/../../b/secrets`,
  `${root}/a/secrets/%c0%ae%c0%ae/%c0%ae%c0%ae/b/secrets`,
  `${root}/a%c0%af..%c0%afb/secrets`,
  `${root}/a%e0%80%af..%e0%80%afb/secrets`,
  `${root}/a%ef%bc%8f..%ef%bc%8fb/secrets`,
  `${root}/a%/secrets`,
  `${root}/a%zz/../b/secrets`,
  `${root}/a%u002f..%u002fb/secrets`,
  `${root}/*/secrets`,
  `${root}/%2a/secrets`,
  `${root}/%20/secrets`,
  `${root}/_all/secrets`,
  `/api/v1/secrets`,
  `/api/v1/secrets/`,
  `/api/v1/secrets?namespace=a`,
  `/api/v1/secrets?fieldSelector=metadata.namespace%3Da`,
  `/api/v1/secrets/one`,
  `/api/v1/watch/namespaces/b/secrets?timeoutSeconds=1`,
  `/api/v1/watch/secrets?timeoutSeconds=1`,
  `${root}/b/secrets?watch=1&timeoutSeconds=1`,
  `/api/v1/proxy/namespaces/b/secrets`,
  `${root}/a/secrets?namespace=b`,
  `${root}/a/secrets?fieldSelector=metadata.namespace%3Db`,
  `${root}/a/secrets?x=/../../b/secrets`,
  `${root}/a/secrets/one?/../../../b/secrets/one`,
  `${root}/a/secrets#/../../b/secrets`,
  `${root}/b/secrets#a`,
  `${root}/b/secrets/one`,
  `${root}/a/../b/secrets/one`,
  `/apis/../api/v1/namespaces/b/secrets`,
  `/apis//v1/namespaces/b/secrets`,
  `/apis/v1/namespaces/b/secrets`,
  `/API/V1/NAMESPACES/B/SECRETS`,
  `/healthz/..${root}/b/secrets`,
  `/healthz/%2e%2e${root}/b/secrets`,
  `/healthz%2f..${root}/b/secrets`,
  `/healthz/../..${root}/b/secrets`,
  `/healthz/${root}/b/secrets`,
  `/healthz;${root}/b/secrets`,
  `/healthz?${root}/b/secrets`,
  `/healthz%00${root}/b/secrets`,
  `/livez/..${root}/b/secrets`,
  `/livez/%2e%2e/api/v1/secrets`,
  `https://x${root}/b/secrets`,
  `http://x${root}/a/../b/secrets`,
  `https://x/healthz/..${root}/b/secrets`,
  `https:${root}/b/secrets`,
  `x://${root}/b/secrets`,
  `api/v1/namespaces/b/secrets`,
  `a${root}/b/secrets`,
  `?${root}/b/secrets`,
  `*`,
];

/** Tests over the protocol of `send` that no path bypasses authorization. */
export function pathAttacks(send: SendRaw): void {
  let namespaces: TwoNamespaces;
  let api: TestApi;
  beforeAll(async () => {
    namespaces = await twoNamespaces();
    api = namespaces.api;
  });
  afterAll(() => namespaces.stop());
  const get = (target: string, tokens: readonly string[]): Promise<string[]> =>
    send(
      api,
      tokens.map((token) => ({ method: 'GET', target, token })),
    );

  it('everybody sees what they may', async () => {
    expect(await get(`${root}/a/configmaps`, ['reader'])).toEqual([expect.stringContaining('by the reader')]);
    expect(await get(`${root}/%61/%63onfigmaps/`, ['reader'])).toEqual([expect.stringContaining('by the reader')]);
    expect(await get('/healthz/ping', ['prober'])).toEqual([expect.stringMatching(/ok$/)]);
    expect((await api.get(`${root}/b/secrets`)).text).toContain(marker);
  });

  it.each(targets)('nobody sees anything else: %s', async (target) => {
    const tokens = ['reader', 'prober', 'nobody'];
    const responses = await get(target, tokens);
    expect(responses).toHaveLength(tokens.length);
    for (const response of responses) {
      expect(response).not.toContain(marker);
      // There is a response, and it is not an internal error.
      expect(response).not.toBe('');
      expect(response).not.toMatch(/^HTTP\/1.1 5|"code":5/);
    }
  });

  it('nobody changes anything elsewhere', async () => {
    const elsewhere = async (): Promise<string> => {
      const { body: list } = await api.get('/api/v1/secrets');
      const others = list.items.filter((item: { metadata: { namespace: string } }) => item.metadata.namespace !== 'a');
      return JSON.stringify(others);
    };
    const before = await elsewhere();
    const requests = targets.flatMap((target) => {
      // No objects with these names exist. A request that is not rejected would create one.
      const single = target.replace(/(secrets)(\/one)?/g, '$1/planted');
      const sent = [
        { method: 'POST', target },
        { method: 'PUT', target: single },
        { method: 'DELETE', target },
      ];
      return ['reader', 'prober'].flatMap((token) => sent.map((request) => ({ ...request, token, body: planted })));
    });
    // The requests are sent in groups, so that a failure shows where to look.
    for (let index = 0; index < requests.length; index += 60) {
      const some = requests.slice(index, index + 60);
      await send(api, some);
      expect(await elsewhere(), some.map(({ target }) => target).join(' ')).toBe(before);
    }
  });
}
