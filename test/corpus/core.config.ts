import type { CorpusEntry } from './corpus-entry.ts';

const notKey =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

const base64 = (text: string) => Buffer.from(text).toString('base64');

export const corpus: CorpusEntry[] = [
  {
    path: '/api/v1/namespaces/corpus/configmaps',
    valid: [
      { name: 'minimal', object: { metadata: { name: 'minimal' } }, expected: {} },
      {
        name: 'rich',
        object: {
          metadata: { name: 'rich', labels: { tier: 'web' } },
          binaryData: { logo: 'iVBORw==', empty: '' },
          data: { 'server.conf': 'port=8080\n', '.hidden': '', A_B: 'ä' },
          immutable: false,
        },
        expected: {
          immutable: false,
          data: { '.hidden': '', A_B: 'ä', 'server.conf': 'port=8080\n' },
          binaryData: { empty: '', logo: 'iVBORw==' },
        },
      },
      {
        name: 'as much as there may be',
        object: { metadata: { name: 'full' }, data: { a: 'x'.repeat(1048574) }, binaryData: { b: 'AAA=' } },
        expected: { data: { a: 'x'.repeat(1048574) }, binaryData: { b: 'AAA=' } },
      },
    ],
    invalid: [
      {
        name: 'keys that are no file names',
        object: { metadata: { name: 'keys' }, data: { '..': '', 'a/b': '' }, binaryData: { '': '', '..b': '' } },
        errors: [
          'data[..]: Invalid value: "..": must not be \'..\'',
          `data[a/b]: Invalid value: "a/b": ${notKey}`,
          `binaryData[]: Invalid value: "": ${notKey}`,
          'binaryData[..b]: Invalid value: "..b": must not start with \'..\'',
        ],
      },
      {
        name: 'a key in both maps',
        object: { metadata: { name: 'both' }, data: { a: '1', b: '2' }, binaryData: { b: '' } },
        errors: ['data[b]: Invalid value: "b": duplicate of key present in binaryData'],
      },
      {
        name: 'too much',
        object: { metadata: { name: 'large' }, data: { a: 'x'.repeat(1048575) }, binaryData: { b: 'AAA=' } },
        errors: ['[]: Too long: may not be more than 1048576 bytes'],
      },
    ],
  },
  {
    path: '/api/v1/namespaces/corpus/secrets',
    valid: [
      { name: 'minimal', object: { metadata: { name: 'minimal' } }, expected: { type: 'Opaque' } },
      {
        name: 'plain text over base64',
        object: {
          metadata: { name: 'rich' },
          immutable: true,
          stringData: { b: 'zwei', 'a.b': '' },
          data: { b: base64('two'), c: base64('three') },
          type: 'example.com/mine',
        },
        expected: {
          immutable: true,
          data: { 'a.b': '', b: base64('zwei'), c: base64('three') },
          type: 'example.com/mine',
        },
      },
      {
        name: 'a password without a user',
        object: { metadata: { name: 'basic' }, type: 'kubernetes.io/basic-auth', data: { password: '' } },
        expected: { data: { password: '' }, type: 'kubernetes.io/basic-auth' },
      },
      {
        name: 'a registry configuration',
        object: {
          metadata: { name: 'docker' },
          type: 'kubernetes.io/dockerconfigjson',
          stringData: { '.dockerconfigjson': 'null' },
        },
        expected: { data: { '.dockerconfigjson': base64('null') }, type: 'kubernetes.io/dockerconfigjson' },
      },
    ],
    invalid: [
      {
        name: 'key and size',
        object: { metadata: { name: 'large' }, stringData: { 'a b': 'x'.repeat(1048577) } },
        errors: [`data[a b]: Invalid value: "a b": ${notKey}`, 'data: Too long: may not be more than 1048576 bytes'],
      },
      {
        name: 'a certificate without anything',
        object: { metadata: { name: 'tls' }, type: 'kubernetes.io/tls', data: { other: '' } },
        errors: ['data[tls.crt]: Required value', 'data[tls.key]: Required value'],
      },
      {
        name: 'neither user nor password',
        object: { metadata: { name: 'basic' }, type: 'kubernetes.io/basic-auth' },
        errors: ['data[username]: Required value', 'data[password]: Required value'],
      },
      {
        name: 'an empty key',
        object: { metadata: { name: 'ssh' }, type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': '' } },
        errors: ['data[ssh-privatekey]: Required value'],
      },
      {
        name: 'a token of nobody',
        object: {
          metadata: { name: 'token', annotations: { 'kubernetes.io/service-account.name': '' } },
          type: 'kubernetes.io/service-account-token',
        },
        errors: ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
      },
      {
        name: 'a registry configuration that is a list',
        object: {
          metadata: { name: 'docker' },
          type: 'kubernetes.io/dockercfg',
          stringData: { '.dockercfg': '["a"]' },
        },
        errors: [
          'data[.dockercfg]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
        ],
      },
      {
        name: 'a registry configuration that ends early',
        object: {
          metadata: { name: 'docker' },
          type: 'kubernetes.io/dockerconfigjson',
          stringData: { '.dockerconfigjson': '{"auths":{' },
        },
        errors: ['data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input'],
      },
    ],
  },
  {
    path: '/api/v1/namespaces/corpus/serviceaccounts',
    valid: [
      { name: 'minimal', object: { metadata: { name: 'minimal' } }, expected: {} },
      {
        name: 'rich',
        object: {
          metadata: { name: 'rich' },
          automountServiceAccountToken: false,
          imagePullSecrets: [{ name: 'pull' }, {}],
          secrets: [{ kind: 'Secret', namespace: 'elsewhere', name: 'one' }, { uid: '1' }],
        },
        expected: {
          secrets: [{ name: 'one' }, {}],
          imagePullSecrets: [{ name: 'pull' }, {}],
          automountServiceAccountToken: false,
        },
      },
    ],
    invalid: [
      {
        name: 'a name in capitals',
        object: { metadata: { name: 'Robot' } },
        errors: [
          "metadata.name: Invalid value: \"Robot\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        ],
      },
      {
        name: 'no name',
        object: { metadata: {} },
        errors: ['metadata.name: Required value: name or generateName is required'],
      },
      {
        name: 'a finalizer of nobody',
        object: { metadata: { name: 'robot', finalizers: ['mine'] } },
        errors: [
          'metadata.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
        ],
      },
    ],
  },
];
