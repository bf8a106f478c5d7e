import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { serveExtension } from '../../src/extension-server/index.ts';
import {
  type Compatibility,
  type CompatibilityName,
  compatibilityProfiles,
  kubernetes,
  specification,
} from '../../src/meta/compatibility.ts';
import { type ApiResponse, type Call, TestApi } from './api.ts';
import { writeNode } from './proxied-server.ts';

/** A question to two servers that differ only in their profile, and what each must answer. */
interface Case {
  readonly decision: keyof Compatibility;
  readonly question: string;
  readonly ask: (api: TestApi) => Promise<unknown>;
  readonly specification: unknown;
  readonly kubernetes: unknown;
}

const maps = '/api/v1/namespaces/default/configmaps';

/** The answer in one line: the code of the response, and of an error its reason and message. */
function shown({ status, text, body }: ApiResponse): string {
  if (body === undefined) return `${status} ${text.trim()}`;
  if (body.kind !== 'Status') return `${status} ${body.kind}`;
  return [status, body.reason, body.message].filter(Boolean).join(' ');
}

const request =
  (method: string, path: string, body?: unknown, call: Call = {}) =>
  async (api: TestApi): Promise<string> =>
    shown(await api.call(method, path, { ...call, ...(body !== undefined && { body }) }));
const apply = (path: string, body: unknown, { query = '', manager = 'test' } = {}) =>
  request('PATCH', `${path}?fieldManager=${manager}${query}`, body, {
    headers: { 'content-type': 'application/apply-patch+yaml' },
  });
const lease = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const unsyntactic = 'strconv.ParseUint: parsing "abc": invalid syntax';
const optionsInvalid = 'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden:';

const dryRunInvalid = '.meta.k8s.io "" is invalid: dryRun: Unsupported value:';
const pods = '/api/v1/namespaces/default/pods';
const quota = '/api/v1/namespaces/default/resourcequotas/q';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const mergePatch = { headers: { 'content-type': 'application/merge-patch+json' } };
const strategic = (patch: object) =>
  request('PATCH', `${deployments}/d`, patch, {
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
  });

const cases: Case[] = [
  {
    decision: 'createdStatus',
    question: 'POST of a new object',
    ask: request('POST', maps, { metadata: { name: 'created' } }),
    specification: '200 ConfigMap',
    kubernetes: '201 ConfigMap',
  },
  {
    decision: 'createdStatus',
    question: 'POST of a review',
    ask: request('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}),
    specification: '200 SelfSubjectReview',
    kubernetes: '201 SelfSubjectReview',
  },
  {
    decision: 'everyPutCreates',
    question: 'PUT of an absent config map',
    ask: request('PUT', `${maps}/absent`, { metadata: { name: 'absent' } }),
    specification: '201 ConfigMap',
    kubernetes: '404 NotFound configmaps "absent" not found',
  },
  {
    decision: 'everyPutCreates',
    question: 'PUT of an absent lease',
    ask: request('PUT', `${lease}/absent`, { metadata: { name: 'absent' } }),
    specification: '201 Lease',
    kubernetes: '201 Lease',
  },
  {
    decision: 'everyPutCreates',
    question: 'PUT of an absent lease with a version',
    ask: request('PUT', `${lease}/versioned`, { metadata: { name: 'versioned', resourceVersion: '5' } }),
    specification: '404 NotFound leases.coordination.k8s.io "versioned" not found',
    kubernetes: '201 Lease',
  },
  {
    decision: 'everyPutCreates',
    question: 'PUT of an absent lease with a uid',
    ask: request('PUT', `${lease}/known`, { metadata: { name: 'known', uid: 'u' } }),
    specification: '404 NotFound leases.coordination.k8s.io "known" not found',
    kubernetes:
      '409 Conflict Operation cannot be fulfilled on leases.coordination.k8s.io "known": StorageError: invalid object, ' +
      'Code: 4, Key: /registry/leases/default/known, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ' +
      'UID in precondition: u, UID in object meta: ',
  },
  ...(
    [
      ['PUT', request('PUT', `${maps}/kept`, { metadata: { name: 'kept', resourceVersion: 'abc' } }), unsyntactic],
      [
        'apply',
        apply(`${maps}/kept`, { ...named('kept'), metadata: { resourceVersion: 'abc', name: 'kept' } }),
        unsyntactic,
      ],
      [
        'get',
        request('GET', `${maps}/kept?resourceVersion=abc`),
        `resourceVersion: Invalid value: "abc": ${unsyntactic}`,
      ],
      [
        'watch',
        request('GET', `${maps}?watch=1&resourceVersion=abc`),
        `resourceVersion: Invalid value: "abc": ${unsyntactic}`,
      ],
    ] as const
  ).map(([verb, ask, message]) => ({
    decision: 'classifiesErrors' as const,
    question: `${verb} with a version that is not a number`,
    ask,
    specification: `400 BadRequest ${message}`,
    kubernetes: `500 ${message}`,
  })),
  {
    decision: 'classifiesErrors',
    question: 'POST of an object with a version',
    ask: request('POST', maps, { metadata: { name: 'with-version', resourceVersion: '5' } }),
    specification: '400 BadRequest resourceVersion should not be set on objects to be created',
    kubernetes: '500 resourceVersion should not be set on objects to be created',
  },
  {
    decision: 'dryRunChecksVersionOnCreate',
    question: 'dry run of a POST of an object with a version',
    ask: request('POST', `${maps}?dryRun=All`, { metadata: { name: 'with-version', resourceVersion: '5' } }),
    specification: '400 BadRequest resourceVersion should not be set on objects to be created',
    kubernetes: '201 ConfigMap',
  },
  {
    decision: 'appliedVersionMeansExisting',
    question: 'apply of an absent object with a version',
    ask: apply(`${maps}/applied`, { ...named('applied'), metadata: { name: 'applied', resourceVersion: '5' } }),
    specification: '404 NotFound configmaps "applied" not found',
    kubernetes: '201 ConfigMap',
  },
  {
    decision: 'quantitiesByAmount',
    question: 'apply of a quantity of another manager in another spelling',
    ask: async (api) => {
      const spelled = (cpu: string) => ({
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'spelled' },
        spec: { hard: { cpu } },
      });
      const path = '/api/v1/namespaces/default/resourcequotas/spelled';
      await apply(path, spelled('1'))(api);
      const answers = [];
      for (const query of ['', '&force=true', '']) {
        answers.push(await apply(path, spelled('1000m'), { query, manager: 'other' })(api));
      }
      return answers;
    },
    specification: ['200 ResourceQuota', '200 ResourceQuota', '200 ResourceQuota'],
    kubernetes: [
      '409 Conflict Apply failed with 1 conflict: conflict with "test": .spec.hard.cpu',
      '200 ResourceQuota',
      '200 ResourceQuota',
    ],
  },
  {
    decision: 'emptyContinue',
    question: 'list of all objects',
    ask: async (api) => (await api.get(maps)).body.metadata.continue,
    specification: '',
    kubernetes: undefined,
  },
  {
    decision: 'emptyContinue',
    question: 'list of all component statuses',
    ask: async (api) => (await api.get('/api/v1/componentstatuses')).body.metadata.continue,
    specification: '',
    kubernetes: undefined,
  },
  {
    decision: 'limitAtVersionZero',
    question: 'list with a limit at version 0',
    ask: async (api) => (await api.get(`${maps}?limit=1&resourceVersion=0`)).body.items.length > 1,
    specification: false,
    kubernetes: true,
  },
  {
    decision: 'listOptionsAreBadRequests',
    question: 'list with a match and no version',
    ask: request('GET', `${maps}?resourceVersionMatch=Exact`),
    specification: `400 BadRequest ${optionsInvalid} resourceVersionMatch is forbidden unless resourceVersion is provided`,
    kubernetes: `422 Invalid ${optionsInvalid} resourceVersionMatch is forbidden unless resourceVersion is provided`,
  },
  {
    decision: 'listOptionsAreBadRequests',
    question: 'list with a token and a version',
    ask: request('GET', `${maps}?continue=x&resourceVersion=5`),
    specification: '400 BadRequest specifying resource version is not allowed when using continue',
    kubernetes: '400 BadRequest specifying resource version is not allowed when using continue',
  },
  ...(
    [
      [
        'a strategic merge patch without the merge key',
        strategic({ spec: { template: { spec: { containers: [{ image: 'x' }] } } } }),
        'map: map[image:x] does not contain declared merge key: name',
      ],
      [
        'an apply of an invalid quantity',
        apply(quota, {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name: 'q' },
          spec: { hard: { pods: 'x' } },
        }),
        undefined,
      ],
      [
        'a binding to something else than a node',
        request('POST', `${pods}/unbound/binding`, {
          metadata: { name: 'unbound' },
          target: { kind: 'Foo', name: 'n' },
        }),
        'target.kind: Unsupported value: "Foo": supported values: "Node", "<empty>"',
      ],
      [
        'a proxy to a port of a pod that is not a number',
        request('GET', `${pods}/p:x/proxy/`),
        'invalid pod request "p:x"',
      ],
    ] as const
  ).map(([question, ask, message]) => ({
    decision: 'classifiesErrors' as const,
    question,
    ask,
    specification: message === undefined ? expect.stringMatching(/^400 BadRequest /) : `400 BadRequest ${message}`,
    kubernetes: message === undefined ? expect.stringMatching(/^500 (?!InternalError)/) : `500 ${message}`,
  })),
  {
    decision: 'classifiesErrors',
    question: 'an apply with two unknown fields',
    ask: apply(`${maps}/kept`, { ...named('kept'), one: 1, two: 2 }),
    specification:
      '400 BadRequest failed to create typed patch object (/kept; /v1, Kind=ConfigMap): errors:\n' +
      '  .one: field not declared in schema\n  .two: field not declared in schema',
    kubernetes:
      '500 failed to create typed patch object (/kept; /v1, Kind=ConfigMap): .one: field not declared in schema',
  },
  {
    decision: 'patchNamesFatalMistake',
    question: 'a patch with an unknown field and a wrong type',
    ask: request('PATCH', `${maps}/kept`, { data: 5, unknown: 1 }, mergePatch),
    specification: expect.stringMatching(
      /^400 BadRequest ConfigMap in version "v1" cannot be handled as a ConfigMap: /,
    ),
    kubernetes: expect.stringMatching(/^422 Invalid {2}"" is invalid: patch: Invalid value: /),
  },
  {
    decision: 'namesStoreLimit',
    question: 'an object that is too large for the store',
    ask: async (api) =>
      shown(await api.post(maps, { ...named('large'), data: { text: 'x'.repeat(2.5 * 1024 * 1024) } })).replace(
        /\d{5,}/,
        'n',
      ),
    specification: expect.stringMatching(/^413 RequestEntityTooLarge /),
    kubernetes: '500 etcdserver: request is too large',
  },
  {
    decision: 'dryRunIsBadRequest',
    question: 'dryRun=x',
    ask: request('POST', `${maps}?dryRun=x`, named('dry')),
    specification: `400 BadRequest CreateOptions${dryRunInvalid} ["x"]: supported values: "All"`,
    kubernetes: `422 Invalid CreateOptions${dryRunInvalid} ["x"]: supported values: "All"`,
  },
  {
    decision: 'emptyDryRun',
    question: 'an empty dryRun',
    ask: async (api) => (await api.call('DELETE', `${maps}/other?dryRun=`)).status,
    specification: 200,
    kubernetes: 422,
  },
  {
    decision: 'strictBooleans',
    question: 'list with sendInitialEvents=no, which is not a boolean',
    ask: request('GET', `${maps}?sendInitialEvents=no`),
    specification: expect.stringMatching(/^400 BadRequest sendInitialEvents: Invalid value: "no"/),
    kubernetes: expect.stringMatching(/^422 Invalid .*sendInitialEvents is forbidden for list/),
  },
  {
    decision: 'strictBooleans',
    question: 'list with pretty=no',
    ask: async (api) => (await api.get(`${maps}?pretty=no`)).status,
    specification: 400,
    kubernetes: 200,
  },
  {
    decision: 'metadataOfLists',
    question: 'list as PartialObjectMetadata',
    ask: request('GET', maps, undefined, {
      headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
    }),
    specification: '200 PartialObjectMetadataList',
    kubernetes:
      '406 NotAcceptable you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
  },
  ...(
    [
      ['application/*', 'application/json', 406],
      ['*', 'application/json', 406],
      ['*/*;q=0.5,application/yaml;q=0.4', 'application/json', 'application/yaml'],
      ['application/json;q=0', 406, 'application/json'],
      ['APPLICATION/YAML', 'application/yaml', 406],
    ] as const
  ).map(([accept, ours, theirs]) => ({
    decision: 'standardNegotiation' as const,
    question: `get with Accept: ${accept}`,
    ask: async (api: TestApi) => {
      const { status, headers } = await api.get(`${maps}/kept`, { headers: { accept } });
      return status === 200 ? headers['content-type'] : status;
    },
    specification: ours,
    kubernetes: theirs,
  })),
  {
    decision: 'standardNegotiation',
    question: 'the versions of the API with Accept: application/*',
    ask: async (api) => (await api.get('/version', { headers: { accept: 'application/*' } })).status,
    specification: 200,
    kubernetes: 406,
  },
  {
    decision: 'standardNegotiation',
    question: 'watch with Accept: application/yaml, application/json',
    ask: async (api) => {
      const watch = await api.watch(`${maps}?watch=1`, { accept: 'application/yaml, application/json' });
      watch.close();
      return watch.status;
    },
    specification: 200,
    kubernetes: 406,
  },
  ...['GZIP', 'gzip;q=1.0'].map((coding) => ({
    decision: 'standardNegotiation' as const,
    question: `get of a large object with Accept-Encoding: ${coding}`,
    ask: async (api: TestApi) =>
      (await api.get(`${maps}/long`, { headers: { 'accept-encoding': coding } })).headers['content-encoding'],
    specification: 'gzip',
    kubernetes: undefined,
  })),
  {
    decision: 'binaryTables',
    question: 'list as Table in protobuf',
    ask: async (api) =>
      (
        await api.get(maps, {
          headers: { accept: 'application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1' },
        })
      ).status,
    specification: 200,
    kubernetes: 406,
  },
  {
    decision: 'failedUpgradeIsUnavailable',
    question: 'an upgrade to a kubelet that cannot be reached',
    ask: async (api) => {
      await writeNode(api, { name: 'gone', port: 1 });
      const url = `${api.server.url.replace('https', 'wss')}/api/v1/nodes/gone/proxy/`;
      const [, response] = await once(new WebSocket(url, api.tls), 'unexpected-response');
      const { code, reason, message } = JSON.parse(await text(response));
      return [code, reason, message];
    },
    specification: [
      503,
      'ServiceUnavailable',
      'error trying to reach service: dial tcp 127.0.0.1:1: connect: connection refused',
    ],
    kubernetes: [500, undefined, 'error dialing backend: dial tcp 127.0.0.1:1: connect: connection refused'],
  },
  {
    decision: 'versionOfComponentStatuses',
    question: 'version of the list of component statuses',
    ask: async (api) => typeof (await api.get('/api/v1/componentstatuses')).body.metadata.resourceVersion,
    specification: 'string',
    kubernetes: 'undefined',
  },
  {
    decision: 'endsWithHealthz',
    question: 'the end of /livez?verbose',
    ask: async (api) => (await api.get('/livez?verbose')).text.trimEnd().split('\n').at(-1),
    specification: 'healthz check passed',
    kubernetes: 'livez check passed',
  },
  {
    decision: 'openLoopbackHealth',
    question: 'a single health check without credentials',
    ask: async (api) => (await api.get('/livez/ping', { credentials: false })).status,
    specification: 200,
    kubernetes: 403,
  },
  {
    decision: 'challenges',
    question: 'the challenge of a 401',
    ask: async (api) => {
      const { status, headers } = await api.get('/version', {
        credentials: false,
        headers: { authorization: 'Bearer x' },
      });
      return [status, headers['www-authenticate']];
    },
    specification: [401, 'Bearer'],
    kubernetes: [401, undefined],
  },
  {
    decision: 'coreAccessReviews',
    question: 'an access review below /api/v1',
    ask: async (api) =>
      (
        await api.post('/api/v1/subjectaccessreviews', {
          spec: { user: 'u', nonResourceAttributes: { path: '/', verb: 'get' } },
        })
      ).status,
    specification: 200,
    kubernetes: 404,
  },
  {
    decision: 'refusesExpiredWatch',
    question: 'watch from an expired version',
    ask: async (api) => {
      const exact = `${maps}?resourceVersion=${await expiring(api)}&resourceVersionMatch=Exact`;
      await vi.waitUntil(async () => (await api.get(exact)).status === 410, { interval: 20 });
      const watch = await api.watch(exact.replace('&resourceVersionMatch=Exact', '&watch=1'));
      const event = watch.status === 200 ? await watch.next() : undefined;
      watch.close();
      return [watch.status, event?.type, event?.object.code];
    },
    specification: [410, undefined, undefined],
    kubernetes: [200, 'ERROR', 410],
  },
  {
    decision: 'anonymousAuth',
    question: 'a request without credentials',
    ask: async (api) => (await api.get('/api/v1/pods', { credentials: false })).status,
    specification: 401,
    kubernetes: 403,
  },
  {
    decision: 'allowPrivileged',
    question: 'a privileged pod',
    ask: async (api) =>
      (
        await api.post('/api/v1/namespaces/default/pods?dryRun=All', {
          metadata: { name: 'privileged' },
          spec: { containers: [{ name: 'c', image: 'i', securityContext: { privileged: true } }] },
        })
      ).status,
    specification: 200,
    kubernetes: 422,
  },
];

/** A version that is not the latest, so that it will be compacted. */
async function expiring(api: TestApi): Promise<string> {
  const { resourceVersion } = (await api.get(maps)).body.metadata;
  await api.post(maps, { metadata: { generateName: 'later-' } });
  return resourceVersion;
}

function named(name: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
}

async function prepared(compatibility: CompatibilityName): Promise<TestApi> {
  const api = await TestApi.start({ compatibility, compactionRetentionMs: 100 });
  await api.post(maps, named('kept'));
  await api.post(maps, named('other'));
  await api.post(maps, { ...named('long'), data: { text: 'x'.repeat(200_000) } });
  const template = { metadata: { labels: { a: 'd' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { selector: { matchLabels: { a: 'd' } }, template };
  await api.post(deployments, { metadata: { name: 'd' }, spec });
  await api.post(pods, { metadata: { name: 'unbound' }, spec: template.spec });
  return api;
}

describe.each(Object.keys(compatibilityProfiles) as CompatibilityName[])('%s', (profile) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await prepared(profile);
  });
  afterAll(() => api.stop());

  it.each(cases)('$question ($decision)', async ({ ask, [profile]: expected }) => {
    expect(await ask(api)).toEqual(expected);
  });
});

it('asks about every decision', () => {
  const members = Object.keys(specification) as (keyof Compatibility)[];
  const asked = new Set(
    cases
      .filter(({ specification: ours, kubernetes: theirs }) => !isDeepStrictEqual(ours, theirs))
      .map(({ decision }) => decision),
  );
  expect(members.filter((member) => !asked.has(member))).toEqual([]);
  expect(members.filter((member) => specification[member] === kubernetes[member])).toEqual([]);
});

it.each([
  ['startServer', () => TestApi.start({ compatibility: 'kubernetess' as never })],
  [
    'serveExtension',
    () =>
      serveExtension({
        group: 'g.example',
        version: 'v1',
        resources: [{} as never],
        compatibility: 'kubernetess' as never,
      }),
  ],
])('%s refuses an unknown profile', async (_, start) => {
  const message = 'unknown compatibility "kubernetess": use specification or kubernetes';
  await expect(start()).rejects.toThrow(new RangeError(message));
});

describe('an option for a single decision takes precedence over the profile', () => {
  it.each([
    [{ postCreateStatus: 200 }, 'createdStatus', '200 ConfigMap'],
    [{ anonymousAuth: false }, 'anonymousAuth', 401],
    [{ allowPrivileged: true }, 'allowPrivileged', 201],
  ] as const)('%j', async (option, decision, expected) => {
    const api = await TestApi.start({ compatibility: 'kubernetes', ...option });
    try {
      expect(await cases.find((one) => one.decision === decision)!.ask(api)).toEqual(expected);
    } finally {
      await api.stop();
    }
  });
});
