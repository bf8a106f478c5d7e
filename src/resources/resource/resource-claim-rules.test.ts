import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { runSync } from '../../meta/turns.ts';
import { resourceClaimTemplateRules, resourceClaimRules as rules } from './resource-claim-rules.ts';

const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } };
const device = { driver: 'd.example.org', pool: 'p', device: 'gpu-0' };
const allocation = { devices: { results: [{ request: 'r', ...device }] } };
const consumer = (uid: string) => ({ resource: 'pods', name: uid, uid });

const claim = (status: object, metadata: object = {}): ResourceObject => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name: 'c', namespace: 'n', ...metadata },
  spec,
  status,
});

const found = (next: ResourceObject, oldObject: ResourceObject) =>
  runSync(rules.validateSteps!(next, { oldObject, endpoint: 'status' })).map(fieldErrorText);

describe('the status of a claim', () => {
  it('accepts an allocation, its consumers and the device status of drivers', () => {
    const status = { allocation, reservedFor: [consumer('u')], devices: [{ ...device, conditions: null }] };
    expect(found(claim(status), claim({}))).toEqual([]);
  });

  it('refuses an allocation that was not requested', () => {
    const results = [{ request: 'x', driver: '', pool: '', device: '' }];
    expect(found(claim({ allocation: { devices: { results } } }), claim({}))).toEqual([
      'status.allocation.devices.results[0].request: Invalid value: "x": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
      'status.allocation.devices.results[0].driver: Required value',
      'status.allocation.devices.results[0].pool: Required value',
      expect.stringContaining(
        'status.allocation.devices.results[0].device: Invalid value: "": a lowercase RFC 1123 label',
      ),
    ]);
  });

  it('refuses a second status of a device', () => {
    const shared = { ...device, shareID: '9d9c4b7e-3c1c-4f3a-9f5c-0f4f5d0c3a11' };
    const results = [
      { request: 'r', ...device },
      { request: 'r', ...shared },
    ];
    const status = { allocation: { devices: { results } }, devices: [device, shared, device, shared] };
    const text = (shareID: string) =>
      `Duplicate value: {"Driver":"d.example.org","Pool":"p","Device":"gpu-0","ShareID":"${shareID}"}`;
    expect(found(claim(status), claim({}))).toEqual([
      `status.devices[2]: ${text('')}`,
      `status.devices[3]: ${text(shared.shareID)}`,
    ]);
  });

  it('refuses consumers without an allocation, and new ones during deletion', () => {
    expect(found(claim({ reservedFor: [consumer('u')] }), claim({}))).toEqual([
      'status.reservedFor: Forbidden: may not be specified when `allocated` is not set',
    ]);
    const going = { deletionTimestamp: '2030-01-01T00:00:00Z' };
    const oldObject = claim({ allocation, reservedFor: [consumer('u')] }, going);
    expect(found(oldObject, oldObject)).toEqual([]);
    expect(found(claim({ allocation, reservedFor: [consumer('u'), consumer('v')] }, going), oldObject)).toEqual([
      'status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set',
    ]);
  });

  it('keeps the metadata and drops the status of released devices', () => {
    const next = claim({ devices: [device] }, { labels: { via: 'status' } });
    rules.prepareStatusUpdate!(next, claim({ allocation, devices: [device] }));
    expect(next.metadata.labels).toBeUndefined();
    expect(next.status).toEqual({ devices: undefined });
  });
});

describe('a template for claims', () => {
  const template = (spec: object): ResourceObject => ({ metadata: { name: 't' }, spec: { spec: {}, ...spec } });
  const errorsOf = (next: object, oldObject?: object) => {
    const write = { oldObject: oldObject && template(oldObject), endpoint: 'main' as const };
    return runSync(resourceClaimTemplateRules.validateSteps!(template(next), write)).map(({ field }) => field);
  };
  const unnamed = {
    spec: { devices: { requests: [{ name: 'A', exactly: { deviceClassName: 'c', allocationMode: 'All' } }] } },
  };

  it.each<[string, object, object | undefined, readonly string[]]>([
    ['labels', { metadata: { labels: { a: 'b' } } }, undefined, []],
    ['a name and a uid', { metadata: { name: 'n', uid: 'u' } }, undefined, ['spec.metadata.name', 'spec.metadata.uID']],
    ['an invalid request', unnamed, undefined, ['spec.spec.devices.requests[0].name']],
    ['a change', { metadata: { labels: { a: 'b' } } }, {}, ['spec']],
    ['a change to an invalid request', unnamed, {}, ['spec.spec.devices.requests[0].name', 'spec']],
    ['a change to an invalid label', { metadata: { labels: { a: '%' } } }, {}, ['spec.metadata.labels', 'spec']],
  ])('%s', (_name, next, oldObject, fields) => {
    expect(errorsOf(next, oldObject)).toEqual(fields);
  });
});
