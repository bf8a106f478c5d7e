import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAuthority, issueUnusual, type KeyPair } from '../../test/wire/certificates.ts';
import { fieldErrorText } from '../meta/field-error.ts';
import type { ResourceObject } from '../meta/object.ts';
import { formatTime } from '../meta/time.ts';
import { optionalResources } from './index.ts';

const rulesOf = (resource: string) => optionalResources.find((definition) => definition.resource === resource)!.rules;
const time = '2026-01-02T03:04:05Z';
const condition = (type: string, status = 'True') => ({
  type,
  status,
  reason: 'Because',
  message: '',
  lastTransitionTime: time,
});

/** Returns the errors of a status update. */
function findings(resource: string, next: ResourceObject, oldObject: ResourceObject): string[] {
  return rulesOf(resource).validateStatus!(next, oldObject).map(fieldErrorText);
}

describe('a pod certificate request', () => {
  const minute = 60_000;
  const begin = Math.floor(Date.now() / 1000) * 1000 - minute;
  const at = (offset: number): string => formatTime(new Date(begin + offset));
  let authority: KeyPair;
  let pair: KeyPair;
  let request: ResourceObject;
  const issued = (changes: object = {}): ResourceObject => ({
    ...request,
    status: {
      conditions: [condition('Issued')],
      certificateChain: pair.cert,
      notBefore: at(0),
      beginRefreshAt: at(30 * minute),
      notAfter: at(90 * minute),
      ...changes,
    },
  });
  const findingsOf = (next: ResourceObject, oldObject = request) => findings('podcertificaterequests', next, oldObject);

  beforeAll(async () => {
    authority = await createAuthority('Pods');
    pair = await issueUnusual(authority, {
      user: 'web',
      notBefore: new Date(begin),
      notAfter: new Date(begin + 90 * minute),
    });
    const key = createPublicKey(createPrivateKey(pair.key)).export({ type: 'spki', format: 'der' });
    request = {
      metadata: { name: 'r' },
      spec: {
        signerName: 'example.org/pods',
        podName: 'web',
        podUID: 'u',
        serviceAccountName: 'default',
        serviceAccountUID: 'u',
        nodeName: 'n',
        nodeUID: 'u',
        maxExpirationSeconds: 86_400,
        pkixPublicKey: key.toString('base64'),
        proofOfPossession: sign('sha256', Buffer.from('u'), createPrivateKey(pair.key)).toString('base64'),
      },
      status: {},
    };
  });

  it('is valid', () => {
    expect(rulesOf('podcertificaterequests').validate!(request)).toEqual([]);
  });

  it('is issued with a certificate chain', () => {
    expect(findingsOf(issued())).toEqual([]);
    expect(findingsOf(issued({ certificateChain: `${pair.cert}\n${authority.cert}` }))).toEqual([]);
  });

  it.each<[string, () => object, string]>([
    [
      'to another key',
      () => ({ certificateChain: authority.cert }),
      'leaf certificate was not issued to the requested public key',
    ],
    [
      'without times',
      () => ({ notAfter: undefined }),
      'status.notAfter: Required value: must be present and consistent',
    ],
    [
      'with other times',
      () => ({ notBefore: at(1000) }),
      'must be set to the NotBefore time encoded in the leaf certificate',
    ],
    [
      'with an early refresh',
      () => ({ beginRefreshAt: at(minute) }),
      'must be at least 10 minutes after status.notBefore',
    ],
    [
      'with a late refresh',
      () => ({ beginRefreshAt: at(85 * minute) }),
      'must be at least 10 minutes before status.notAfter',
    ],
    [
      'with nothing',
      () => ({ certificateChain: '' }),
      'issued certificate chain must contain at least one certificate',
    ],
    [
      'with a key behind it',
      () => ({ certificateChain: `${pair.cert}\n${pair.key}` }),
      'entirely of CERTIFICATE PEM blocks',
    ],
    [
      'denied as well',
      () => ({ conditions: [condition('Issued'), condition('Denied')] }),
      'There may be at most one condition',
    ],
    ['half', () => ({ conditions: [condition('Issued', 'False')] }), 'supported values: "True"'],
    [
      'and something else',
      () => ({ conditions: [condition('Ready')] }),
      'supported values: "Issued", "Denied", "Failed"',
    ],
  ])('is not issued %s', (_what, changes, text) => {
    expect(findingsOf(issued(changes())).join('\n')).toContain(text);
  });

  it('cannot be changed after it is denied', () => {
    const denied = { ...request, status: { conditions: [condition('Denied')] } };
    expect(findingsOf(denied)).toEqual([]);
    expect(findingsOf(issued(), denied)).toEqual([
      'status: Invalid value: immutable after PodCertificateRequest is issued, denied, or failed',
    ]);
    expect(findingsOf({ ...request, status: { ...denied.status, certificateChain: 'x' } })).toEqual([
      'status: Invalid value: non-condition status fields must be empty when denying or failing the PodCertificateRequest',
    ]);
    expect(findingsOf({ ...request, status: { certificateChain: 'x' } })).toEqual([
      'status: Invalid value: status is immutable unless transitioning to "Issued", "Denied", or "Failed"',
    ]);
  });

  it('gets default transition times', () => {
    const { lastTransitionTime: _time, ...untimed } = condition('Denied');
    const next: ResourceObject = { ...request, status: { conditions: [untimed] } };
    rulesOf('podcertificaterequests').prepareStatusUpdate!(next, request);
    expect(findingsOf(next)).toEqual([]);
  });
});

const plain = (status?: object): ResourceObject => ({ metadata: { name: 'it' }, spec: {}, status });

describe.each<[string, [ResourceObject, ResourceObject, string[]][]]>([
  [
    'storageversions',
    [
      [
        plain({
          storageVersions: [{ apiServerID: 'a', encodingVersion: 'apps/v1', decodableVersions: ['apps/v1'] }],
          commonEncodingVersion: 'apps/v1',
        }),
        plain(),
        [],
      ],
      [
        plain({ storageVersions: [{ apiServerID: 'a', encodingVersion: 'apps/v1/x', decodableVersions: [] }] }),
        plain(),
        [
          expect.stringMatching(
            /^status.storageVersions\[0\].encodingVersion: Invalid value: "apps\/v1\/x": an apiVersion is/,
          ),
          'status.storageVersions[0].decodableVersions: Invalid value: []: decodableVersions must include encodingVersion apps/v1/x',
          'status.commonEncodingVersion: Invalid value: null: the common encoding version is apps/v1/x',
        ],
      ],
      [
        plain({ commonEncodingVersion: 'v1' }),
        plain(),
        [expect.stringContaining('should be nil if servers do not agree on the same encoding version')],
      ],
    ],
  ],
  [
    'storageversionmigrations',
    [
      [plain({ conditions: [condition('Running')], resourceVersion: '7' }), plain(), []],
      [
        plain({ conditions: [condition('Running'), condition('Succeeded')], resourceVersion: '8' }),
        plain({ resourceVersion: '7' }),
        [
          'status.resourceVersion: Invalid value: "8": field is immutable',
          expect.stringContaining('Running condition cannot be true when success condition is true'),
        ],
      ],
      [
        plain({ resourceVersion: '-1' }),
        plain({ conditions: [condition('Failed')] }),
        [
          'status.resourceVersion: Invalid value: "-1": resource version is not well formed: -1',
          expect.stringContaining('Failed condition cannot be set to false once it is true'),
        ],
      ],
    ],
  ],
  [
    'resourcepoolstatusrequests',
    [
      [plain({ poolCount: 1, pools: [{ driver: 'd', poolName: 'p', generation: 1, totalDevices: 2 }] }), plain(), []],
      [plain({ poolCount: 2 }), plain({ poolCount: 2 }), []],
      [
        plain({ poolCount: 1 }),
        plain({ poolCount: 2 }),
        ['status: Invalid value: {"poolCount":1}: field is immutable'],
      ],
      [
        plain({ pools: [{ driver: 'd', poolName: 'p', totalDevices: -2, resourceSliceCount: 0 }] }),
        plain(),
        [
          'status.poolCount: Required value',
          'status.pools[0].totalDevices: Invalid value: -2: must be greater than or equal to 0',
          'status.pools[0].resourceSliceCount: Invalid value: 0: must be greater than or equal to 1',
        ],
      ],
    ],
  ],
  [
    'podgroups',
    [
      [
        {
          ...plain({ resourceClaimStatuses: [{ name: 'a', resourceClaimName: 'b' }] }),
          spec: { resourceClaims: [{ name: 'a' }] },
        },
        plain(),
        [],
      ],
      [
        plain({ resourceClaimStatuses: [{ name: 'a' }] }),
        plain(),
        [
          'status.resourceClaimStatuses[0].name: Invalid value: "a": must match the name of an entry in `spec.resourceClaims`',
        ],
      ],
    ],
  ],
])('the status of %s', (resource, cases) => {
  it.each(cases)('%j', (next, oldObject, expected) => {
    expect(findings(resource, next, oldObject)).toEqual(expected);
  });
});

describe('a change', () => {
  const change = (resource: string, next: object, old: object): string[] => {
    const rules = rulesOf(resource);
    const objects = [next, old].map((spec) => ({ metadata: { name: 'it' }, spec }) as ResourceObject);
    return rules.validateUpdate!(objects[0]!, objects[1]!).map(fieldErrorText);
  };

  it.each([
    ['podgroups', { priority: 1 }, { priority: 2 }, ['spec.priority: Invalid value: 1: field is immutable']],
    ['workloads', { podGroupTemplates: [] }, {}, ['spec.podGroupTemplates: Invalid value: []: field is immutable']],
    ['podcertificaterequests', { podName: 'a' }, { podName: 'a' }, []],
    [
      'resourcepoolstatusrequests',
      { driver: 'a' },
      { driver: 'b' },
      ['spec: Invalid value: {"driver":"a"}: field is immutable'],
    ],
    [
      'storageversionmigrations',
      { resource: { resource: 'a' } },
      { resource: { resource: 'b' } },
      ['spec: Invalid value: {"Resource":{"group":"","resource":"a"}}: field is immutable'],
    ],
  ])('is checked in %s', (resource, next, old, expected) => {
    expect(change(resource, next, old)).toEqual(expected);
  });

  it('resets the time of a taint when it concerns its effect', () => {
    const rule = (effect: string): ResourceObject => ({
      metadata: { name: 'it' },
      spec: { taint: { key: 'k', effect, timeAdded: time } },
    });
    const [same, other] = [rule('None'), rule('NoExecute')];
    const { prepareUpdate } = rulesOf('devicetaintrules');
    prepareUpdate!(same, rule('None'));
    prepareUpdate!(other, rule('None'));
    expect((same.spec as { taint: object }).taint).toMatchObject({ timeAdded: time });
    expect((other.spec as { taint: object }).taint).not.toMatchObject({ timeAdded: time });
  });
});
