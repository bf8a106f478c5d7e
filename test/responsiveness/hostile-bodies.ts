import type { HostileRequest } from './hostile-request.ts';
import { many, withinBounds } from './many.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const yaml = { 'content-type': 'application/yaml' };

type Table = Readonly<Record<string, () => string | Buffer>>;

function posts(path: string, bodies: Table, headers: Readonly<Record<string, string>> = {}): HostileRequest[] {
  return Object.entries(bodies).flatMap(([about, body]) => [
    { about, method: 'POST', path, headers, body },
    { about: `${about}, within bounds`, method: 'POST', path, headers, body: () => withinBounds(body) },
  ]);
}

/** A pod with a long list in its spec. */
const pod = (lists: Readonly<Record<string, (index: number) => string>>, count?: number): string => {
  const [[name, unit] = ['', () => '']] = Object.entries(lists);
  const containers = name === 'containers' ? '' : '"containers":[{"name":"a","image":"b"}],';
  const before = `{"metadata":{"name":"p"},"spec":{${containers}"${name}":[`;
  return many(unit, { before, after: ']}}', ...(count !== undefined && { count }) });
};

const inMetadata = (field: string, unit: (index: number) => string, [open, close] = ['{', '}']): string =>
  many(unit, { before: `{"metadata":{"name":"a","${field}":${open}`, after: `${close}}}` });

const inContainer = (field: string, unit: (index: number) => string): string =>
  many(unit, {
    before: `{"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"b","${field}":[`,
    after: ']}]}}',
  });

const json: Table = {
  'JSON: many keys': () => many((i) => `"k${i}":"v"`, { before: '{"metadata":{"name":"a"},"data":{', after: '}}' }),
  'JSON: many keys backwards': () =>
    many((i) => `"k${9_000_000 - i}":"v"`, { before: '{"metadata":{"name":"a"},"data":{', after: '}}' }),
  'JSON: many keys that are numbers': () =>
    many((i) => `"${i * 17}":"v"`, { before: '{"metadata":{"name":"a"},"data":{', after: '}}' }),
  'JSON: one key again and again': () => many(() => '"a":1', { before: '{', after: '}' }),
  'JSON: two keys again and again': () => many((i) => `"${i % 2 ? 'a' : 'b'}":1`, { before: '{', after: '}' }),
  'JSON: many keys twice': () => many((i) => `"k${i % 100_000}":1`, { before: '{"data":{', after: '}}' }),
  'JSON: unknown fields': () => many((i) => `"u${i}":1`, { before: '{', after: '}' }),
  'JSON: unknown fields in lists': () => inMetadata('ownerReferences', (i) => `{"u${i}":1}`, ['[', ']']),
  'JSON: unknown fields with long names': () =>
    `{${many((i) => `"${'x'.repeat(10_000)}${i}":1`, { before: '"metadata":{"name":"a"},', after: '}' })}`,
  'JSON: deep lists': () => `{"data":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
  'JSON: deep objects, unknown': () => `{"x":${'{"x":'.repeat(9_000)}1${'}'.repeat(9_000)}}`,
  'JSON: deeper than allowed': () => '['.repeat(1_500_000) + ']'.repeat(1_500_000),
  'JSON: a long text with escapes': () => `{"metadata":{"name":"a"},"data":{"a":"${'\\u0041\\n'.repeat(370_000)}"}}`,
  'JSON: surrogate pairs': () => `{"metadata":{"name":"a"},"data":{"a":"${'\\ud83d\\ude00'.repeat(250_000)}"}}`,
  'JSON: a long number': () => `{"metadata":{"name":"a","generation":${'9'.repeat(3_000_000)}}}`,
  'JSON: long numbers': () => many(() => '9223372036854775807', { before: '{"data":[', after: ']}' }),
  'JSON: fractions': () => many(() => '1.0', { before: '{"x":[', after: ']}' }),
  'JSON: white space': () => `{"metadata":{"name":"a"}${' '.repeat(3_000_000)}}`,
  'JSON: small lists': () => many(() => '[]', { before: '{"x":[', after: ']}' }),
  'JSON: small objects': () => many(() => '{}', { before: '{"x":[', after: ']}' }),
  'JSON: no JSON at its end': () => many((i) => `"k${i}":"v"`, { before: '{"data":{', after: '}' }),
  'JSON: wrong type at the end': () =>
    many((i) => `"k${i}":"v"`, { before: '{"metadata":{"name":"a"},"data":{', after: ',"z":1}}' }),
  'metadata: labels': () => inMetadata('labels', (i) => `"k${i}":"v"`),
  'metadata: wrong labels': () => inMetadata('labels', (i) => `"!${i}":"!"`),
  'metadata: annotations': () => inMetadata('annotations', (i) => `"k${i}":"v"`),
  'metadata: finalizers': () => inMetadata('finalizers', (i) => `"a.b/k${i}"`, ['[', ']']),
  'metadata: wrong finalizers': () => inMetadata('finalizers', (i) => `"k${i}"`, ['[', ']']),
  'metadata: owners': () =>
    inMetadata('ownerReferences', (i) => `{"apiVersion":"v1","kind":"Pod","name":"n${i}","uid":"u${i}"}`, ['[', ']']),
  'metadata: one owner again and again': () =>
    inMetadata('ownerReferences', () => '{"apiVersion":"v1","kind":"Pod","name":"n","uid":"u"}', ['[', ']']),
  'metadata: empty owners': () => inMetadata('ownerReferences', () => '{}', ['[', ']']),
  'metadata: managed fields': () =>
    inMetadata(
      'managedFields',
      (i) =>
        `{"manager":"m${i}","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:k${i}":{}}}}`,
      ['[', ']'],
    ),
  'metadata: one manager of many fields': () =>
    many((i) => `"f:k${i}":{}`, {
      before:
        '{"metadata":{"name":"a","managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{',
      after: '}}}]}}',
    }),
};

const podLists: Table = {
  'pod: containers': () => pod({ containers: (i) => `{"name":"c${i}","image":"i"}` }, 40_000),
  'pod: wrong containers': () => pod({ containers: () => '{"name":"!"}' }),
  'pod: empty containers': () => pod({ containers: () => '{}' }),
  'pod: one container again and again': () => pod({ containers: () => '{"name":"a","image":"b"}' }),
  'pod: volumes': () => pod({ volumes: (i) => `{"name":"v${i}","emptyDir":{}}` }),
  'pod: volumes without a source': () => pod({ volumes: (i) => `{"name":"v${i}"}` }),
  'pod: tolerations': () => pod({ tolerations: (i) => `{"key":"k${i}","operator":"Exists"}` }),
  'pod: host aliases': () => pod({ hostAliases: (i) => `{"ip":"10.0.0.1","hostnames":["h${i}"]}` }),
  'pod: gates': () => pod({ schedulingGates: (i) => `{"name":"g${i}"}` }),
  'pod: spread constraints': () =>
    pod({
      topologySpreadConstraints: (i) => `{"maxSkew":1,"topologyKey":"k${i}","whenUnsatisfiable":"DoNotSchedule"}`,
    }),
  'pod: pull secrets': () => pod({ imagePullSecrets: (i) => `{"name":"s${i}"}` }),
  'pod: variables': () => inContainer('env', (i) => `{"name":"E${i}","value":"v"}`),
  'pod: variables that refer to others': () => inContainer('env', (i) => `{"name":"E${i}","value":"$(E${i + 1})"}`),
  'pod: ports': () => inContainer('ports', (i) => `{"containerPort":${1 + (i % 65_000)},"name":"p${i}"}`),
  'pod: mounts': () => inContainer('volumeMounts', (i) => `{"name":"v","mountPath":"/m${i}"}`),
  'pod: arguments': () => inContainer('args', () => '"a"'),
  'pod: resources': () =>
    many((i) => `"example.com/r${i}":"1"`, {
      before: '{"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"b","resources":{"limits":{',
      after: '}}}]}}',
    }),
  'pod: a quantity without end': () =>
    `{"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"b","resources":{"limits":{"cpu":"${'9'.repeat(2_900_000)}"}}}]}}`,
  'pod: a quantity with a large exponent': () =>
    '{"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"b","resources":{"limits":{"cpu":"1e999999999","memory":"1e-999999999"}}}]}}',
  'pod: one long name': () => `{"metadata":{"name":"p"},"spec":{"containers":[{"name":"${'a'.repeat(2_900_000)}"}]}}`,
  'pod: one long image': () =>
    `{"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"${'a'.repeat(1_200_000)}"}]}}`,
};

const rbac = '/apis/rbac.authorization.k8s.io/v1';

export const hostileBodies: readonly HostileRequest[] = [
  ...posts(configMaps, json),
  ...posts(
    `${configMaps}?fieldValidation=Strict`,
    Object.fromEntries(
      Object.entries(json)
        .filter(([about]) => /unknown|again|twice/.test(about))
        .map(([about, body]) => [`${about} (Strict)`, body]),
    ),
  ),
  ...posts(`${configMaps}?fieldValidation=Ignore`, { 'JSON: unknown fields (Ignore)': json['JSON: unknown fields']! }),
  ...posts(pods, podLists),
  ...posts(
    reviews,
    {
      'YAML: many keys': () => many((i) => `k${i}: v`, { separator: '\n' }),
      'YAML: many keys backwards': () => many((i) => `k${9_000_000 - i}: v`, { separator: '\n' }),
      'YAML: keys that are numbers': () => many((i) => `${i}: v`, { separator: '\n' }),
      'YAML: keys that are fractions': () => many((i) => `${i}.5: v`, { separator: '\n' }),
      'YAML: one key again and again': () => many(() => 'a: 1', { separator: '\n' }),
      'YAML: keys again and again': () => many((i) => `k${i % 5000}: 1`, { separator: '\n' }),
      'YAML: items': () => many(() => '- a', { before: 'a:\n', separator: '\n' }),
      'YAML: deep indentation': () => Array.from({ length: 2_400 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
      'YAML: deep flow': () => `a: ${'['.repeat(9_900)}${']'.repeat(9_900)}`,
      'YAML: deep beyond all': () => `a: ${'['.repeat(1_500_000)}`,
      'YAML: flow mapping': () => many((i) => `k${i}: v`, { before: 'a: {', separator: ', ', after: '}' }),
      'YAML: flow sequence': () => many(() => 'a', { before: 'a: [', after: ']' }),
      'YAML: one alias again and again': () => many(() => '- *a', { before: 'x: &a {}\ndata:\n', separator: '\n' }),
      'YAML: aliases of aliases': () =>
        `a0: &a0 [x]\n${Array.from({ length: 400 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join('\n')}`,
      'YAML: many anchors': () => many((i) => `- &a${i} a`, { before: 'data:\n', separator: '\n' }),
      'YAML: a chain of merges': () =>
        many((i) => `k${i}: &a${i}\n  <<: *a${i - 1}\n  k${i}: 1`, {
          before: 'x: &a-1 {}\n',
          separator: '\n',
          count: 1_400,
        }),
      'YAML: a long chain of merges': () =>
        many((i) => `k${i}: &a${i}\n  <<: *a${i - 1}\n  k${i}: 1`, { before: 'x: &a-1 {}\n', separator: '\n' }),
      'YAML: merges of a large map': () =>
        many(() => '- {<<: *a}', {
          before: `x: &a {${many((i) => `k${i}: 1`, { separator: ', ', count: 1_000 })}}\ndata:\n`,
          separator: '\n',
          count: 2_000,
        }),
      'YAML: merges of nothing': () => many(() => '- {<<: *a}', { before: 'x: &a {}\ndata:\n', separator: '\n' }),
      'YAML: nested merges': () => `x: &a {a: 1}\ny: ${'{<<: '.repeat(3_000)}*a${'}'.repeat(3_000)}`,
      'YAML: a list of merges': () =>
        many(() => '*a', { before: `x: &a {a: 1, b: 2}\ny:\n  <<: [`, separator: ', ', after: ']' }),
      'YAML: a folded text': () => many(() => '  a', { before: 'data: >\n', separator: '\n' }),
      'YAML: a literal text': () => many(() => '  a', { before: 'data: |\n', separator: '\n' }),
      'YAML: a plain text of many lines': () => many(() => ' a', { before: 'data:\n', separator: '\n' }),
      'YAML: a quoted text of many lines': () =>
        many(() => ' \n a', { before: 'data: "', separator: '\n', after: '"' }),
      'YAML: escapes': () => many(() => '\\x41', { before: 'data: "', separator: '', after: '"' }),
      'YAML: comments': () => many(() => '#', { separator: '\n' }),
      'YAML: comments behind keys': () => many((i) => `k${i}: v # c`, { separator: '\n' }),
      'YAML: one long comment': () => many(() => '#', { separator: '' }),
      'YAML: blanks': () => many(() => ' ', { separator: '' }),
      'YAML: tags': () => many((i) => `- !t${i} a`, { before: 'data:\n', separator: '\n' }),
      'YAML: numbers': () => many((i) => `- 0x${i}`, { before: 'data:\n', separator: '\n' }),
      'YAML: a number without end': () => many(() => '9', { before: 'data: 1', separator: '' }),
      'YAML: times': () => many(() => '- 2001-01-01T00:00:00Z', { before: 'data:\n', separator: '\n' }),
      'YAML: binary': () => many(() => 'AAAA', { before: 'data: !!binary ', separator: '' }),
      'YAML: question marks': () => many((i) => `? k${i}\n: v`, { separator: '\n' }),
      'YAML: documents': () => many(() => '---\na: 1', { separator: '\n' }),
      'YAML: JSON that is not quite JSON': () => many((i) => `"k${i}":"v"`, { before: '{"data":{', after: ',},}' }),
      'YAML: JSON': () => many((i) => `"k${i}":"v"`, { before: '{"data":{', after: '}}' }),
    },
    yaml,
  ),
  ...posts(`${rbac}/clusterroles`, {
    'role: many rules': () =>
      many((i) => `{"apiGroups":[""],"resources":["r${i}"],"verbs":["get"]}`, {
        before: '{"metadata":{"name":"r"},"rules":[',
        after: ']}',
      }),
    'role: one rule of many verbs and resources': () =>
      `{"metadata":{"name":"r"},"rules":[{"apiGroups":[""],${many((i) => `"v${i}"`, { before: '"verbs":[', after: ']', count: 100_000 })},${many((i) => `"r${i}"`, { before: '"resources":[', after: ']', count: 100_000 })}}]}`,
  }),
  ...posts(`${rbac}/clusterrolebindings`, {
    'binding: many subjects': () =>
      many((i) => `{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"u${i}"}`, {
        before:
          '{"metadata":{"name":"b"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"view"},"subjects":[',
        after: ']}',
      }),
  }),
  ...posts('/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', {
    'network policy: peers': () =>
      many(() => '{"ipBlock":{"cidr":"10.0.0.0/8","except":["10.1.0.0/16"]}}', {
        before: '{"metadata":{"name":"n"},"spec":{"podSelector":{},"ingress":[{"from":[',
        after: ']}]}}',
      }),
    'network policy: exceptions': () =>
      many((i) => `"10.${i % 256}.0.0/16"`, {
        before:
          '{"metadata":{"name":"n"},"spec":{"podSelector":{},"ingress":[{"from":[{"ipBlock":{"cidr":"10.0.0.0/8","except":[',
        after: ']}}]}]}}',
      }),
    'network policy: selector': () =>
      many((i) => `{"key":"k${i}","operator":"In","values":["a","b"]}`, {
        before: '{"metadata":{"name":"n"},"spec":{"podSelector":{"matchExpressions":[',
        after: ']}}}',
      }),
  }),
  ...posts('/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
    'ingress: rules': () =>
      many(
        (i) =>
          `{"host":"h${i}.example.com","http":{"paths":[{"path":"/","pathType":"Prefix","backend":{"service":{"name":"s","port":{"number":80}}}}]}}`,
        { before: '{"metadata":{"name":"i"},"spec":{"rules":[', after: ']}}' },
      ),
    'ingress: paths': () =>
      many((i) => `{"path":"/p${i}","pathType":"Prefix","backend":{"service":{"name":"s","port":{"number":80}}}}`, {
        before: '{"metadata":{"name":"i"},"spec":{"rules":[{"http":{"paths":[',
        after: ']}}]}}',
      }),
  }),
  ...posts('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    'endpoint slice: endpoints': () =>
      many((i) => `{"addresses":["10.0.${i % 256}.1"]}`, {
        before: '{"metadata":{"name":"e"},"addressType":"IPv4","endpoints":[',
        after: ']}',
      }),
    'endpoint slice: addresses': () =>
      many((i) => `"10.0.${i % 256}.1"`, {
        before: '{"metadata":{"name":"e"},"addressType":"IPv4","endpoints":[{"addresses":[',
        after: ']}]}',
      }),
    'endpoint slice: ports': () =>
      many((i) => `{"name":"p${i}","port":80}`, {
        before: '{"metadata":{"name":"e"},"addressType":"IPv4","endpoints":[],"ports":[',
        after: ']}',
      }),
  }),
  ...posts('/api/v1/namespaces/default/endpoints', {
    'endpoints: subsets': () =>
      many((i) => `{"addresses":[{"ip":"10.0.${i % 256}.1"}],"ports":[{"port":80}]}`, {
        before: '{"metadata":{"name":"e"},"subsets":[',
        after: ']}',
      }),
  }),
  ...posts('/api/v1/namespaces/default/services', {
    'service: ports': () =>
      many((i) => `{"name":"p${i}","port":${1 + (i % 65_000)}}`, {
        before: '{"metadata":{"name":"s"},"spec":{"ports":[',
        after: ']}}',
      }),
    'service: external addresses': () =>
      many((i) => `"10.0.${i % 256}.1"`, {
        before: '{"metadata":{"name":"s"},"spec":{"ports":[{"port":80}],"externalIPs":[',
        after: ']}}',
      }),
  }),
  ...posts('/apis/resource.k8s.io/v1/resourceslices', {
    'resource slice: devices': () =>
      many((i) => `{"name":"d${i}","attributes":{"a":{"int":1}}}`, {
        before:
          '{"metadata":{"name":"r"},"spec":{"driver":"d.example.com","nodeName":"n","pool":{"name":"p","generation":1,"resourceSliceCount":1},"devices":[',
        after: ']}}',
      }),
  }),
  ...posts('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    'review: many groups': () =>
      many((i) => `"g${i}"`, {
        before: '{"spec":{"user":"u","resourceAttributes":{"verb":"get","resource":"pods"},"groups":[',
        after: ']}}',
      }),
    'review: many extras': () =>
      many((i) => `"e${i}":["x"]`, {
        before: '{"spec":{"user":"u","resourceAttributes":{"verb":"get","resource":"pods"},"extra":{',
        after: '}}}',
      }),
    'review: label requirements': () =>
      many((i) => `{"key":"k${i}","operator":"In","values":["a"]}`, {
        before:
          '{"spec":{"user":"u","resourceAttributes":{"verb":"list","resource":"pods","labelSelector":{"requirements":[',
        after: ']}}}}',
      }),
  }),
  ...posts('/apis/authentication.k8s.io/v1/tokenreviews', {
    'token review: a giant token': () => `{"spec":{"token":"${'a.'.repeat(1_400_000)}"}}`,
    'token review: many audiences': () =>
      many((i) => `"a${i}"`, { before: '{"spec":{"token":"x","audiences":[', after: ']}}' }),
  }),
  ...posts('/apis/apps/v1/namespaces/default/controllerrevisions', {
    'any value: small objects': () =>
      many((i) => `{"a":${i}}`, { before: '{"metadata":{"name":"c"},"revision":1,"data":[', after: ']}' }),
    'any value: unsorted keys': () =>
      many((i) => `"${(i * 7919) % 1_000_003}x":1`, {
        before: '{"metadata":{"name":"c"},"revision":1,"data":{',
        after: '}}',
      }),
    'any value: deep': () =>
      `{"metadata":{"name":"c"},"revision":1,"data":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`,
  }),
  ...posts('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', {
    'admission policy: expressions': () =>
      many((i) => `{"expression":"object.metadata.name != 'x${i}'"}`, {
        before:
          '{"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["pods"]}]},"validations":[',
        after: ']}}',
      }),
    'admission policy: one long expression': () =>
      `{"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["pods"]}]},"validations":[{"expression":"1${'+1'.repeat(1_000_000)} > 0"}]}}`,
  }),
];
