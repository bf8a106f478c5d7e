import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactRequest, redactResponse } from './redact-body.ts';
import { redactUri } from './redact-uri.ts';
import { scrub } from './scrub.ts';

const secrets = { group: '', resource: 'secrets', subresource: '' };
const pods = { group: '', resource: 'pods', subresource: '' };
const tokens = { group: '', resource: 'serviceaccounts', subresource: 'token' };
const reviews = { group: 'authentication.k8s.io', resource: 'tokenreviews', subresource: '' };
const hidden = '<redacted>';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const metadata = { name: 's', labels: { a: 'b' }, annotations: { [lastApplied]: '{"data":{"k":"eA=="}}', note: 'n' } };
const shownMetadata = { name: 's', labels: { a: 'b' }, annotations: { [lastApplied]: hidden, note: 'n' } };

describe('redactRequest', () => {
  it.each<[string, typeof secrets, unknown, unknown]>([
    [
      'a Secret',
      secrets,
      {
        kind: 'Secret',
        type: 'Opaque',
        immutable: true,
        metadata,
        data: { k: 'eA==' },
        stringData: { l: 'y', m: null },
      },
      {
        kind: 'Secret',
        type: 'Opaque',
        immutable: true,
        metadata: shownMetadata,
        data: { k: hidden },
        stringData: { l: hidden, m: null },
      },
    ],
    ['a misspelt field', secrets, { Data: { k: 'x' }, stringdata: 'x' }, { Data: { k: hidden }, stringdata: hidden }],
    [
      'names of methods',
      secrets,
      { constructor: 'x', toString: { a: 1 } },
      { constructor: hidden, toString: { a: hidden } },
    ],
    ['another kind at the path', secrets, { kind: 'Status', message: 'x' }, { kind: 'Status', message: hidden }],
    ['a list at the path', secrets, { kind: 'List', items: [{ data: { a: 'x' } }] }, { kind: 'List', items: hidden }],
    ['a text', secrets, 'x', hidden],
    [
      'a deletion',
      secrets,
      { kind: 'DeleteOptions', gracePeriodSeconds: 0 },
      { kind: 'DeleteOptions', gracePeriodSeconds: 0 },
    ],
    [
      'data in a deletion',
      secrets,
      { kind: 'DeleteOptions', data: { a: 'x' } },
      { kind: 'DeleteOptions', data: { a: hidden } },
    ],
    [
      'a JSON patch',
      secrets,
      [
        { op: 'add', path: '/data/k', value: 'eA==' },
        { op: 'add', path: '/data', value: { k: 'eA==' } },
        { op: 'remove', path: '/data/k' },
        { op: 'replace', path: '', value: { metadata, data: { k: 'x' } } },
        { op: 'replace', path: '/metadata', value: metadata },
        { op: 'replace', path: '/metadata/annotations', value: metadata.annotations },
        { op: 'add', path: '/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration', value: 'x' },
        { op: 'add', path: '/metadata/labels/a', value: 'b' },
        { op: 'replace', path: '/type', value: 'Opaque' },
        { op: 'test', path: 'data/k', value: 'x' },
        { op: 'test', value: 'x', data: 'x' },
        'x',
      ],
      [
        { op: 'add', path: '/data/k', value: hidden },
        { op: 'add', path: '/data', value: { k: hidden } },
        { op: 'remove', path: '/data/k' },
        { op: 'replace', path: '', value: { metadata: shownMetadata, data: { k: hidden } } },
        { op: 'replace', path: '/metadata', value: shownMetadata },
        { op: 'replace', path: '/metadata/annotations', value: shownMetadata.annotations },
        { op: 'add', path: '/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration', value: hidden },
        { op: 'add', path: '/metadata/labels/a', value: 'b' },
        { op: 'replace', path: '/type', value: 'Opaque' },
        { op: 'test', path: 'data/k', value: hidden },
        { op: 'test', value: hidden, data: hidden },
        hidden,
      ],
    ],
    [
      'a JSON patch of something else',
      pods,
      [{ op: 'add', path: '/data', value: 1 }],
      [{ op: 'add', path: '/data', value: 1 }],
    ],
    ['something else', pods, { kind: 'Pod', metadata, data: 1 }, { kind: 'Pod', metadata, data: 1 }],
    ['a Secret anywhere', pods, { kind: 'Secret', data: { k: 'x' } }, { kind: 'Secret', data: { k: hidden } }],
    [
      'a review of a token',
      reviews,
      { spec: { token: 'x', audiences: ['a'] }, status: { user: { username: 'u' }, token: 'x' } },
      { spec: { token: hidden, audiences: ['a'] }, status: { user: { username: 'u' }, token: hidden } },
    ],
    [
      'a request for a token',
      tokens,
      { spec: { audiences: ['a'], expirationSeconds: 600 }, status: { token: 'x', expirationTimestamp: 't' } },
      { spec: { audiences: ['a'], expirationSeconds: 600 }, status: { token: hidden, expirationTimestamp: 't' } },
    ],
  ])('hides secrets in %s', (_name, target, value, expected) => {
    const before = structuredClone(value);
    expect(redactRequest(value, { target, omitManagedFields: false })).toEqual(expected);
    expect(value).toEqual(before);
  });

  it('omits managed fields', () => {
    const object = { kind: 'Pod', metadata: { name: 'a', managedFields: [{}] } };
    expect(redactRequest(object, { target: pods, omitManagedFields: true })).toEqual({
      kind: 'Pod',
      metadata: { name: 'a' },
    });
  });
});

describe('redactResponse', () => {
  const secret = { kind: 'Secret', metadata, data: { k: 'eA==' } };
  const shown = { kind: 'Secret', metadata: shownMetadata, data: { k: hidden } };

  it.each<[string, typeof secrets, unknown, unknown]>([
    ['an object', secrets, secret, shown],
    ['a list', secrets, { kind: 'SecretList', items: [secret] }, { kind: 'SecretList', items: [shown] }],
    ['items without a kind', secrets, { items: [{ data: { k: 'x' } }] }, { items: [{ data: { k: hidden } }] }],
    [
      'a mixed list',
      pods,
      { kind: 'List', items: [secret, { kind: 'Pod' }] },
      { kind: 'List', items: [shown, { kind: 'Pod' }] },
    ],
    [
      'a Table',
      secrets,
      {
        kind: 'Table',
        rows: [
          { cells: ['s', 1], object: secret },
          { cells: [], object: null },
        ],
      },
      {
        kind: 'Table',
        rows: [
          { cells: ['s', 1], object: shown },
          { cells: [], object: null },
        ],
      },
    ],
    [
      'metadata alone',
      secrets,
      { kind: 'PartialObjectMetadataList', items: [{ kind: 'PartialObjectMetadata', metadata }] },
      { kind: 'PartialObjectMetadataList', items: [{ kind: 'PartialObjectMetadata', metadata: shownMetadata }] },
    ],
    ['a Status', secrets, { kind: 'Status', message: 'm' }, { kind: 'Status', message: 'm' }],
  ])('hides secrets in %s', (_name, target, value, expected) => {
    expect(redactResponse(value, { target, omitManagedFields: false })).toEqual(expected);
  });

  it('omits managed fields of every object', () => {
    const object = { metadata: { name: 'a', managedFields: [{}] } };
    const options = { target: pods, omitManagedFields: true };
    const clean = { metadata: { name: 'a' } };
    expect(redactResponse({ items: [object] }, options)).toEqual({ items: [clean] });
    expect(redactResponse({ kind: 'Table', rows: [{ object }] }, options)).toEqual({
      kind: 'Table',
      rows: [{ object: clean }],
    });
  });
});

describe('redactUri', () => {
  it.each([
    ['', '/x'],
    ['watch=1&limit=500', '/x?watch=1&limit=500'],
    ['access_token=abc&watch=1', '/x?access_token=<redacted>&watch=1'],
    ['a=1&Token=abc', '/x?a=1&Token=<redacted>'],
    ['%74oken=abc', '/x?%74oken=<redacted>'],
    ['token', '/x?token'],
    ['continue=abc%', '/x?continue=abc%'],
    ['labelSelector=token%3Dabc', '/x?labelSelector=token%3Dabc'],
  ])('%s', (query, expected) => {
    const found = new Set<string>();
    expect(redactUri('/x', query, found)).toBe(expected);
    expect(found.has('abc')).toBe(expected.includes('<redacted>'));
  });
});

describe('scrub', () => {
  it('removes secrets both literally and quoted', () => {
    const found = new Set(['pass"word', 'pass', 'abc']);
    const status = {
      message: 'bad pass"word, "pass\\"word", pass; abc',
      details: { causes: [{ message: 'pass' }] },
      code: 400,
    };
    expect(scrub(status, found)).toEqual({
      message: 'bad <redacted>, "<redacted>", <redacted>; abc',
      details: { causes: [{ message: '<redacted>' }] },
      code: 400,
    });
  });

  it('removes collected secrets, plain and in base64', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6 }), (plain) => {
        const found = new Set<string>();
        const encoded = Buffer.from(plain).toString('base64');
        redactRequest({ data: { k: encoded } }, { target: secrets, found, omitManagedFields: false });
        for (const quoted of [plain, encoded, JSON.stringify(plain)]) {
          expect(scrub({ message: `[${quoted}]` }, found).message).not.toContain(plain);
        }
      }),
    );
  });
});
