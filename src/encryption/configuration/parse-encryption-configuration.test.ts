import { describe, expect, it } from 'vitest';
import { parseEncryptionConfiguration } from './parse-encryption-configuration.ts';

const parse = (content: string) => parseEncryptionConfiguration(Buffer.from(content));
const secretOf = (size: number): string => Buffer.alloc(size, 7).toString('base64');
const key = (name: string, size = 32) => ({ name, secret: secretOf(size) });
const identity = { identity: {} };
const kms = (more: object = {}) => ({
  kms: { apiVersion: 'v2', name: 'vault', endpoint: 'unix:///run/kms.sock', ...more },
});

function configured(...resources: unknown[]): string {
  return JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources });
}
const forSecrets = (...providers: unknown[]): string => configured({ resources: ['secrets'], providers });
const forResources = (...resources: string[]): string => configured({ resources, providers: [identity] });

describe('an EncryptionConfiguration', () => {
  it('is parsed with all fields', () => {
    const rules = parse(`
apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets, widgets.example.com]
  providers:
  - aesgcm: {keys: [{name: a, secret: ${secretOf(16)}}, {name: b, secret: ${secretOf(24)}}]}
  - aescbc: {keys: [{name: c, secret: ${secretOf(32)}}]}
  - secretbox: {keys: [{name: d, secret: ${secretOf(32)}}]}
  - identity: {}
- resources: ['*.']
  providers:
  - kms: {apiVersion: v2, name: vault, endpoint: 'unix:///run/kms%20plugin.sock', timeout: 1.5s}
- resources: ['*.apps', '*.batch']
  providers:
  - kms: {apiVersion: v2, name: other, endpoint: 'unix:///@kms'}
- resources: ['*.*']
  providers: [{identity: {}}]
`);
    expect(rules.map(({ resources }) => resources)).toEqual([
      [
        { group: '', resource: 'secrets' },
        { group: 'example.com', resource: 'widgets' },
      ],
      [{ group: '', resource: '*' }],
      [
        { group: 'apps', resource: '*' },
        { group: 'batch', resource: '*' },
      ],
      [{ group: '*', resource: '*' }],
    ]);
    const keys = rules[0]!.providers.map((provider) =>
      'keys' in provider ? provider.keys.map(({ name, secret }) => [name, secret.symmetricKeySize]) : [],
    );
    expect(keys).toEqual([
      [
        ['a', 16],
        ['b', 24],
      ],
      [['c', 32]],
      [['d', 32]],
      [],
    ]);
    expect(rules.slice(1).flatMap(({ providers }) => providers)).toEqual([
      { type: 'kms', name: 'vault', socket: '/run/kms plugin.sock', timeoutMs: 1500 },
      { type: 'kms', name: 'other', socket: '@kms', timeoutMs: 3000 },
      { type: 'identity' },
    ]);
  });

  it('may have its old name', () => {
    expect(
      parse(JSON.stringify({ ...JSON.parse(forSecrets(identity)), apiVersion: 'v1', kind: 'EncryptionConfig' })),
    ).toHaveLength(1);
  });

  const wrongKind = 'must be of kind "EncryptionConfiguration" and apiVersion "apiserver.config.k8s.io/v1"';
  const providers = 'resources[0].providers';
  const noProvider =
    'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity';

  it.each<[name: string, content: string, problem: string]>([
    ['nothing', '', 'the file is empty'],
    ['no YAML', '{', 'yaml: line 1: did not find expected node content'],
    ['another kind', forSecrets(identity).replace('EncryptionC', 'C'), wrongKind],
    ['another version', forSecrets(identity).replace('/v1', '/v2'), wrongKind],
    ['no resources', configured(), 'resources: Required value: at least one resources is required'],
    [
      'an empty rule',
      configured({}),
      '[resources[0].resources: Required value: at least one resources[0].resources is required, resources[0].providers: Required value: at least one resources[0].providers is required]',
    ],
    [
      'unknown fields',
      forSecrets({ aesgmc: {} }, { aesgcm: { keys: [{ ...key('a'), size: 1 }] } }),
      `strict decoding error: unknown field "${providers}[0].aesgmc", unknown field "${providers}[1].aesgcm.keys[0].size"`,
    ],
    [
      'a field twice',
      'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nkind: EncryptionConfiguration\n',
      'strict decoding error: line 3: key "kind" already set in map',
    ],
    ['no provider', forSecrets({}), `${providers}[0]: Invalid value: {}: ${noProvider}`],
    [
      'two providers in one element',
      forSecrets({ ...identity, aesgcm: { keys: [key('a')] } }),
      `${providers}[0]: Invalid value: ["aesgcm","identity"]: more than one provider specified in a single element, should split into different list elements`,
    ],
    [
      'no keys',
      forSecrets({ aescbc: {} }),
      `${providers}[0].aescbc.keys: Required value: at least one keys is required`,
    ],
    [
      'a key without name and secret',
      forSecrets({ aescbc: { keys: [{}] } }),
      `[${providers}[0].aescbc.keys[0].name: Required value: name is a mandatory field for a key, ${providers}[0].aescbc.keys[0].secret: Required value: secret is a mandatory field for a key]`,
    ],
    [
      'a secret that is not base64',
      forSecrets({ secretbox: { keys: [{ name: 'a', secret: 'top secret' }] } }),
      `${providers}[0].secretbox.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded`,
    ],
    [
      'a secret without padding',
      forSecrets({ aesgcm: { keys: [{ name: 'a', secret: secretOf(16).replaceAll('=', '') }] } }),
      `${providers}[0].aesgcm.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded`,
    ],
    [
      'a key of another length',
      forSecrets({ aesgcm: { keys: [key('a', 15)] } }, { secretbox: { keys: [key('b', 16)] } }),
      `[${providers}[0].aesgcm.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 15, expected one of [16 24 32], ${providers}[1].secretbox.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 16, expected one of [32]]`,
    ],
    [
      'a secret that is a number',
      forSecrets({ aesgcm: { keys: [{ name: 'a', secret: 123456789 }] } }),
      `[${providers}[0].aesgcm.keys[0].secret: Invalid value: "REDACTED": must be a string, ${providers}[0].aesgcm.keys[0].secret: Required value: secret is a mandatory field for a key]`,
    ],
    [
      'keys that are no list',
      forSecrets({ aesgcm: { keys: key('a') } }),
      `[${providers}[0].aesgcm.keys: Invalid value: "REDACTED": must be a list, ${providers}[0].aesgcm.keys: Required value: at least one keys is required]`,
    ],
    [
      'a rule behind that of its group',
      configured({ resources: ['*.'], providers: [identity] }, { resources: ['secrets'], providers: [identity] }),
      'resource "secrets" is masked by earlier rule "*."',
    ],
    [
      'a rule behind that of everything',
      configured({ resources: ['*.*'], providers: [identity] }, { resources: ['*.apps'], providers: [identity] }),
      'resource "*.apps" is masked by earlier rule "*.*"',
    ],
  ])('is refused with %s', (_name, content, problem) => {
    expect(() => parse(content)).toThrow(new RangeError(`encryption configuration: ${problem}`));
  });

  const at = 'resources[0].resources';
  const overlap =
    "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";

  it.each<[resources: string[], problem: string]>([
    [['Secrets'], `${at}[0]: Invalid value: "Secrets": resource name should not contain capital letters`],
    [
      ['*'],
      `${at}[0]: Invalid value: "*": use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources`,
    ],
    [
      ['secrets', 'apiserveripinfo'],
      `${at}[1]: Invalid value: "apiserveripinfo": resources which do not have REST API/s cannot be encrypted`,
    ],
    [
      ['*.events.k8s.io'],
      `${at}[0]: Invalid value: "*.events.k8s.io": '*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file`,
    ],
    [
      ['ingresses.extensions'],
      `${at}[0]: Invalid value: "ingresses.extensions": 'extensions' group has been removed and cannot be used for encryption`,
    ],
    [
      ['secrets.*'],
      `${at}[0]: Invalid value: "secrets.*": encrypting the same resource across groups is not supported`,
    ],
    [
      ['secrets', 'secrets.'],
      `${at}: Invalid value: ["secrets","secrets."]: the same resource cannot be specified multiple times`,
    ],
    [['secrets', '*.'], `${at}: Invalid value: ["secrets","*."]: ${overlap}`],
    [['*.apps', '*.*'], `${at}: Invalid value: ["*.apps","*.*"]: ${overlap}`],
  ])('is refused with the resources %j', (resources, problem) => {
    expect(() => parse(forResources(...resources))).toThrow(new RangeError(`encryption configuration: ${problem}`));
  });

  it('may have the same resource in several rules', () => {
    const [first, second] = parse(
      configured({ resources: ['secrets'], providers: [identity] }, { resources: ['secrets'], providers: [identity] }),
    );
    expect(first).toEqual(second);
  });

  it.each<[fields: object, problem: string]>([
    [{ name: '' }, 'name: Required value: name is a mandatory field for a provider'],
    [{ name: 'a:b' }, `name: Invalid value: "a:b": invalid KMS provider name a:b, must not contain ':'`],
    [{ timeout: '0s' }, 'timeout: Invalid value: "0s": timeout should be a positive value'],
    [{ timeout: '-1m' }, 'timeout: Invalid value: "-1m0s": timeout should be a positive value'],
    [{ timeout: '3' }, 'timeout: Invalid value: "3": time: missing unit in duration "3"'],
    [{ endpoint: undefined }, 'endpoint: Invalid value: "": endpoint is a mandatory field for a kms'],
    [
      { endpoint: 'tcp://localhost:1' },
      'endpoint: Invalid value: "tcp://localhost:1": unsupported scheme "tcp" for KMS provider, only unix is supported',
    ],
    [
      { endpoint: '/run/kms.sock' },
      'endpoint: Invalid value: "/run/kms.sock": unsupported scheme "" for KMS provider, only unix is supported',
    ],
    [
      { endpoint: 'unix://' },
      'endpoint: Invalid value: "unix://": invalid endpoint for kms provider, error: it has no path of a socket',
    ],
    [{ cachesize: 10 }, 'cachesize: Invalid value: 10: cachesize is not supported in v2'],
    [
      { apiVersion: 'v3' },
      'apiVersion: Invalid value: "v3": unsupported apiVersion v3 for KMS provider, only v2 is supported',
    ],
    [{ apiVersion: 'v1' }, 'apiVersion: Invalid value: "v1": KMSv1 is deprecated and not supported. Use KMSv2 instead'],
    [
      { apiVersion: undefined, cachesize: 10 },
      'apiVersion: Invalid value: "v1": KMSv1 is deprecated and not supported. Use KMSv2 instead',
    ],
  ])('is refused with a key management service with %j', (fields, problem) => {
    expect(() => parse(forSecrets(kms(fields)))).toThrow(
      new RangeError(`encryption configuration: ${providers}[0].kms.${problem}`),
    );
  });

  it('is refused with two key management services of one name', () => {
    const content = configured(
      { resources: ['secrets'], providers: [kms()] },
      { resources: ['configmaps'], providers: [kms()] },
    );
    expect(() => parse(content)).toThrow(
      'resources[1].providers[0].kms.name: Invalid value: "vault": duplicate KMS provider name vault, names must be unique',
    );
  });

  it.each([
    forSecrets({ aesgcm: { keys: [{ name: 'a', secret: 'c2VjcmV0' }] } }),
    forSecrets({ aesgcm: { keys: 'c2VjcmV0' } }),
    forSecrets({ aesgcm: 'c2VjcmV0' }),
    forSecrets({ aesgcm: { keys: [{ name: 'a', secret: ['c2VjcmV0'] }] } }),
    configured('c2VjcmV0'),
  ])('never shows what may be a secret: %s', (content) => {
    let message = '';
    try {
      parse(content);
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message).toContain('resources');
    expect(message).not.toContain('c2VjcmV0');
  });
});
