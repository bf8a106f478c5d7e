import type { HostileRequest } from './hostile-request.ts';
import { many, withinBounds } from './many.ts';

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const objects = '/apis/example.com/v1/namespaces/default/as';

type Body = () => string | Buffer;

const start =
  '{"metadata":{"name":"as.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"as","kind":"A"';
const versions = (schema: string): string =>
  `"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}]`;

/** A definition with the schema of one field `a`. */
const field = (schema: string, version = ''): string =>
  `${start}},${versions(`{"type":"object","properties":{"a":${schema}}}`).replace('"storage":true', `"storage":true${version}`)}}}`;

/** A definition with many members inside the schema of the field `a`. */
const fieldWith = (
  unit: (index: number) => string,
  [before, after]: readonly [string, string],
  count = 9_900,
): string => {
  const [head = '', tail = ''] = field(`${before}@@${after}`).split('@@');
  return many(unit, { before: head, after: tail, count });
};

const nested = (levels: number, [before, after]: readonly [string, string], inner: string): string =>
  before.repeat(levels) + inner + after.repeat(levels);

const map: readonly [string, string] = ['{"type":"object","properties":{', '}}'];
const text = '{"type":"string"}';
const described = `{"type":"string","description":"${'word '.repeat(16)}"}`;

const schemas: Readonly<Record<string, Body>> = {
  'definition: properties': () => fieldWith((i) => `"p${i}":${text}`, map),
  'definition: properties without type': () => fieldWith((i) => `"p${i}":{}`, map),
  'definition: properties with forbidden keywords': () =>
    fieldWith((i) => `"p${i}":{"type":"x","$ref":"a","uniqueItems":true}`, map),
  'definition: deep objects': () => field(nested(450, ['{"type":"object","properties":{"a":', '}}'], text)),
  'definition: deep lists': () => field(nested(900, ['{"type":"array","items":', '}'], text)),
  'definition: deep maps': () => field(nested(900, ['{"type":"object","additionalProperties":', '}'], text)),
  'definition: deep alternatives': () =>
    field(`{"type":"string","anyOf":[${nested(450, ['{"anyOf":[', ']}'], '{"pattern":"a"}')}]}`),
  'definition: a tree of alternatives': () => field(`{"type":"string","oneOf":[${alternatives(12)}]}`),
  'definition: deep negations': () => field(`{"type":"string","not":${nested(900, ['{"not":', '}'], '{}')}}`),
  'definition: deep embedded resources': () =>
    field(
      nested(
        800,
        ['{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"kind":{"type":"string"},"spec":', '}}'],
        '{"type":"object"}',
      ),
    ),
  'definition: alternatives': () =>
    fieldWith((i) => `{"pattern":"^a${i}$","minLength":${i % 10}}`, ['{"type":"string","anyOf":[', ']}']),
  'definition: alternatives without a structure': () =>
    fieldWith((i) => `{"properties":{"p${i}":{"type":"string","default":"x"}}}`, ['{"type":"object","allOf":[', ']}']),
  'definition: patterns': () => fieldWith((i) => `"p${i}":{"type":"string","pattern":"^(a|b){1,50}${i}$"}`, map),
  'definition: one long pattern': () => field(`{"type":"string","pattern":"${'(a|b*)'.repeat(200_000)}"}`),
  'definition: a deep pattern': () =>
    field(`{"type":"string","pattern":"${'('.repeat(400_000)}${')'.repeat(400_000)}"}`),
  'definition: repeated repetitions': () =>
    field(`{"type":"string","default":"x","pattern":"${'('.repeat(100)}a${'{1000})'.repeat(100)}"}`),
  'definition: an enum': () => fieldWith((i) => `"v${i}"`, ['{"type":"string","enum":[', ']}']),
  'definition: an enum of objects': () => fieldWith((i) => `{"a":${i}}`, ['{"type":"object","enum":[', ']}']),
  'definition: required names': () => fieldWith((i) => `"r${i}"`, ['{"type":"object","required":[', ']}']),
  'definition: defaults': () => fieldWith((i) => `"p${i}":{"type":"string","default":"x","pattern":"^a*$"}`, map),
  'definition: defaults with patterns': () =>
    fieldWith((i) => `"p${i}":{"type":"string","default":"ab","pattern":"^(a|b){1,50}${i}$"}`, map),
  'definition: nested lists of schemas': () =>
    field(
      nested(
        300,
        ['{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"],"items":[', ']}'],
        `{"type":"string","description":"${'x'.repeat(1_400_000)}"}`,
      ),
    ),
  'definition: one large default': () =>
    fieldWith(
      (i) => `"k${i}":"v"`,
      ['{"type":"object","additionalProperties":{"type":"string","pattern":"^v$"},"default":{', '}}'],
    ),
  'definition: a default with unknown fields': () =>
    fieldWith((i) => `"k${i}":"v"`, ['{"type":"object","properties":{"x":{"type":"string"}},"default":{', '}}']),
  'definition: defaults in defaults': () =>
    field(nested(400, ['{"type":"object","default":{},"properties":{"a":', '}}'], '{"type":"string","default":"x"}')),
  'definition: rules': () =>
    fieldWith((i) => `{"rule":"self.size() > ${i}"}`, ['{"type":"string","x-kubernetes-validations":[', ']}']),
  'definition: rules with long field paths': () =>
    fieldWith(
      (i) => `{"rule":"true","fieldPath":".a${i}${'.b'.repeat(500)}"}`,
      ['{"type":"object","x-kubernetes-validations":[', ']}'],
    ),
  'definition: rules of many parts': () =>
    fieldWith((i) => `{"rule":"${longRule(i)}"}`, ['{"type":"string","x-kubernetes-validations":[', ']}'], 40),
  'definition: rules with many problems': () =>
    fieldWith(
      (i) => `{"rule":"${Array.from({ length: 1_000 }, (_, index) => `v${i}x${index}`).join('||')}"}`,
      ['{"type":"string","x-kubernetes-validations":[', ']}'],
      120,
    ),
  'definition: defaults with long patterns': () =>
    fieldWith((i) => `"p${i}":{"type":"string","default":"a","pattern":"${'(a|bc|d)'.repeat(900)}${i}"}`, map, 150),
  'definition: defaults with patterns of many characters': () =>
    fieldWith((i) => `"p${i}":{"type":"string","default":"a","pattern":"${'[\\\\pL]|'.repeat(100)}${i}"}`, map, 1_000),
  'definition: list keys': () =>
    fieldWith(
      (i) => `"k${i}"`,
      [
        '{"type":"array","items":{"type":"object","properties":{}},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":[',
        ']}',
      ],
    ),
  'definition: a usual one of 1.4 MB': () =>
    fieldWith(
      (i) =>
        `"p${i}":{"type":"object","description":"${'word '.repeat(24)}","properties":{"a":${described},"b":${described}}}`,
      map,
      3_400,
    ),
  'definition: unknown formats': () => fieldWith((i) => `"p${i}":{"type":"string","format":"f${i}"}`, map),
  'definition: long descriptions': () => field(`{"type":"string","description":"${'x'.repeat(1_400_000)}"}`),
  'definition: a schema of no known keyword': () => fieldWith((i) => `"k${i}":1`, ['{', '}']),
};

/** A rule near the limit of its tokens. */
const longRule = (index: number): string => Array.from({ length: 990 }, () => `self!='${index}'`).join('&&');

/** 4,096 leaves below 12 levels of two alternatives each. */
function alternatives(levels: number): string {
  if (levels === 0) return '{"pattern":"b"}';
  const inner = alternatives(levels - 1);
  return `{"oneOf":[${inner},${inner}]}`;
}

const otherBodies: Readonly<Record<string, Body>> = {
  'definition: versions': () =>
    many(
      (i) => `{"name":"v${i + 1}","served":true,"storage":${i === 0},"schema":{"openAPIV3Schema":{"type":"object"}}}`,
      {
        before: `${start}},"versions":[`,
        after: ']}}',
      },
    ),
  'definition: versions of one name': () =>
    many(() => `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}`, {
      before: `${start}},"versions":[`,
      after: ']}}',
    }),
  'definition: versions that differ': () =>
    many(
      (i) =>
        `{"name":"v${i + 1}","served":true,"storage":${i === 0},"schema":{"openAPIV3Schema":{"type":"object","description":"${i}"}}}`,
      { before: `${start}},"versions":[`, after: ']}}', count: 100 },
    ),
  'definition: large storage versions': () =>
    many(
      (i) =>
        `{"name":"v${i >> 1}","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","description":"${'x'.repeat(15_000)}${i}"}}}`,
      { before: `${start}},"versions":[`, after: ']}}', count: 95 },
    ),
  'definition: short names': () =>
    many((i) => `"s${i}"`, { before: `${start},"shortNames":[`, after: `]},${versions('{"type":"object"}')}}}` }),
  'definition: categories': () =>
    many((i) => `"s${i}"`, { before: `${start},"categories":[`, after: `]},${versions('{"type":"object"}')}}}` }),
  'definition: columns': () =>
    inVersion('additionalPrinterColumns', (i) => `{"name":"c${i}","type":"string","jsonPath":".a.b${i}"}`),
  'definition: columns with long paths': () =>
    inVersion(
      'additionalPrinterColumns',
      (i) => `{"name":"c${i}","type":"string","jsonPath":"${'..a'.repeat(1_000)}"}`,
    ),
  'definition: selectable fields': () => inVersion('selectableFields', (i) => `{"jsonPath":".a${i}"}`),
  'definition: one selectable field again and again': () => inVersion('selectableFields', () => '{"jsonPath":".a"}'),
};

function inVersion(name: string, unit: (index: number) => string): string {
  const [before = '', after = ''] = field(text, `,"${name}":[@@]`).split('@@');
  return many(unit, { before, after });
}

/** An object of the type that a definition describes. */
interface Custom {
  readonly schema: Body;
  readonly object: Body;
}

const object = (value: string): string =>
  `{"apiVersion":"example.com/v1","kind":"A","metadata":{"name":"o"},"a":${value}}`;
const list = (unit: (index: number) => string): string => {
  const [before = '', after = ''] = object('[@@]').split('@@');
  return many(unit, { before, after });
};
const entries = (unit: (index: number) => string): string => {
  const [before = '', after = ''] = object('{@@}').split('@@');
  return many(unit, { before, after });
};
const items = (schema: string, keywords = ''): string => field(`{"type":"array","items":${schema}${keywords}}`);
const short = (unit: (index: number) => string, count: number): string =>
  Array.from({ length: count }, (_, index) => unit(index)).join(',');

const customObjects: Readonly<Record<string, Custom>> = {
  'object: rules that cost a whole budget': {
    schema: () =>
      items(
        '{"type":"array","maxItems":340,"items":{"type":"integer"},"x-kubernetes-validations":[{"rule":"self.all(a, self.all(b, a + b >= 0))"}]}',
        ',"maxItems":12',
      ),
    object: () => object(`[${short(() => `[${short((i) => String(i), 340)}]`, 12)}]`),
  },
  'object: a slow rule that costs as much as it may': {
    schema: () =>
      field(
        `{"type":"array","maxItems":380,"items":{"type":"integer"},"x-kubernetes-validations":[{"rule":"self.all(a, self.all(b, ip('fe80::1') == ip('fe80::1')))"}]}`,
      ),
    object: () => object(`[${short((i) => String(i), 380)}]`),
  },
  'object: thousands of rules of a long text': {
    schema: () =>
      field(`{"type":"string","x-kubernetes-validations":[${short((i) => `{"rule":"self.size() < ${i}"}`, 9_000)}]}`),
    object: () => object(`"${'x'.repeat(1_000_000)}"`),
  },
  'object: a rule with patterns': {
    schema: () =>
      field(
        `{"type":"string","maxLength":10,"x-kubernetes-validations":[{"rule":"${Array.from({ length: 30 }, (_, i) => `self.matches('(y{100}){9}${i}')`).join('||')}"}]}`,
      ),
    object: () => object('"x"'),
  },
  'object: a rule about a long text': {
    schema: () => field('{"type":"string","x-kubernetes-validations":[{"rule":"self.matches(\'^(a|b|ab)*c$\')"}]}'),
    object: () => object(`"${'ab'.repeat(500_000)}"`),
  },
  'object: a usual pattern of a long text': {
    schema: () => field('{"type":"string","pattern":"^[A-Za-z0-9+/=]*$"}'),
    object: () => object(`"${'ab'.repeat(60_000)}"`),
  },
  'object: deep and open': {
    schema: () => field('{"type":"object","x-kubernetes-preserve-unknown-fields":true}'),
    object: () => object(nested(4_900, ['{"a":', '}'], '1')),
  },
  'object: unknown fields': { schema: () => field('{"type":"object"}'), object: () => entries((i) => `"u${i}":1`) },
  'object: unknown fields in items': {
    schema: () => items('{"type":"object"}'),
    object: () => list((i) => `{"u${i}":1}`),
  },
  'object: wrong types': { schema: () => items(text), object: () => list((i) => String(i)) },
  'object: wrong lengths': {
    schema: () => items('{"type":"string","maxLength":1}'),
    object: () => list((i) => `"v${i}"`),
  },
  'object: none of many values': {
    schema: () => items(`{"type":"string","enum":[${short((i) => `"allowed-${i}"`, 9_000)}]}`),
    object: () => list((i) => `"v${i}"`),
  },
  'object: none of many objects': {
    schema: () =>
      items(`{"type":"object","properties":{"a":{"type":"integer"}},"enum":[${short((i) => `{"a":${i}}`, 5_000)}]}`),
    object: () => list(() => '{"a":-1}'),
  },
  'object: none of many alternatives': {
    schema: () => items(`{"type":"string","anyOf":[${short((i) => `{"pattern":"^a${i}$"}`, 5_000)}]}`),
    object: () => list((i) => `"v${i}"`),
  },
  'object: all of many alternatives': {
    schema: () => items(`{"type":"string","oneOf":[${short((i) => `{"minLength":${i % 2}}`, 5_000)}]}`),
    object: () => list((i) => `"v${i}"`),
  },
  'object: a tree of alternatives': {
    schema: () => items(`{"type":"string","oneOf":[${alternatives(12)}]}`),
    object: () => list((i) => `"v${i}"`),
  },
  'object: required names': {
    schema: () => items(`{"type":"object","required":[${short((i) => `"r${i}"`, 9_000)}]}`),
    object: () => list(() => '{}'),
  },
  'object: a pattern of many states': {
    schema: () => field('{"type":"string","pattern":"^(a?){500}(a|b|aa){400}c$"}'),
    object: () => object(`"${'a'.repeat(1_000_000)}"`),
  },
  'object: a pattern that backtracks': {
    schema: () => field('{"type":"string","pattern":"^(([a-z])+.)+[A-Z]([a-z])+$"}'),
    object: () => object(`"${'a'.repeat(1_000_000)}"`),
  },
  'object: many patterns': {
    schema: () =>
      field(
        `{"type":"object","properties":{${short((i) => `"p${i}":{"type":"string","pattern":"^(a|b){1,50}${i}$"}`, 5_000)}}}`,
      ),
    object: () => object(`{${short((i) => `"p${i}":"ababababab"`, 5_000)}}`),
  },
  'object: large defaults of items': {
    schema: () =>
      items(
        `{"type":"object","properties":{"d":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"default":{${short((i) => `"k${i}":{}`, 5_000)}}}}}`,
      ),
    object: () => list(() => '{}'),
  },
  'object: a long default of items': {
    schema: () => items(`{"type":"object","properties":{"d":{"type":"string","default":"${'x'.repeat(1_000_000)}"}}}`),
    object: () => list(() => '{}'),
  },
  'object: many defaults of items': {
    schema: () =>
      items(`{"type":"object","properties":{${short((i) => `"d${i}":{"type":"string","default":"x"}`, 5_000)}}}`),
    object: () => list(() => '{}'),
  },
  'object: equal items of a set': {
    schema: () => items('{"type":"integer"}', ',"x-kubernetes-list-type":"set"'),
    object: () => list((i) => String(i >> 1)),
  },
  'object: equal keys': {
    schema: () =>
      items(
        '{"type":"object","required":["k"],"properties":{"k":{"type":"string"}}}',
        ',"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"]',
      ),
    object: () => list((i) => `{"k":"${i >> 1}"}`),
  },
  'object: wrong embedded resources': {
    schema: () =>
      items('{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}'),
    object: () => list(() => '{"apiVersion":"a/b/c","kind":"!","metadata":{"name":"!/","labels":{"!":"!"}}}'),
  },
  ...Object.fromEntries(
    ['byte', 'cidr', 'creditcard', 'date-time', 'duration', 'email', 'hostname', 'ipv6', 'mac', 'uri', 'uuid'].flatMap(
      (format) =>
        [`${'a'.repeat(1_000_000)}!`, `${'1:'.repeat(500_000)}@`, `${'-.'.repeat(500_000)}/`].map((value, index) => [
          `object: format ${format}, ${index + 1}`,
          { schema: () => field(`{"type":"string","format":"${format}"}`), object: () => object(`"${value}"`) },
        ]),
    ),
  ),
};

const merge = { 'content-type': 'application/merge-patch+json' };
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

/** Requests of other clients while a hostile definition is served. */
const readings: readonly HostileRequest[] = Object.entries({
  'definition: properties': schemas['definition: properties']!,
  'definition: deep objects': () => field(nested(400, ['{"type":"object","properties":{"a":', '}}'], text)),
  'definition: versions that differ': otherBodies['definition: versions that differ']!,
  'definition: columns': otherBodies['definition: columns']!,
}).flatMap(([about, body]) =>
  ['/apis', '/openapi/v3/apis/example.com/v1', '/openapi/v2', `${definitions}/as.example.com`, objects].map((path) => ({
    about: `${about}, then ${path}`,
    method: 'GET',
    path,
    headers: path === objects ? table : {},
    given: [{ path: definitions, body: () => withinBounds(body) as string }],
  })),
);

export const hostileDefinitions: readonly HostileRequest[] = [
  ...Object.entries({ ...schemas, ...otherBodies }).flatMap(([about, body]) => [
    { about, method: 'POST', path: definitions, body },
    { about: `${about}, within bounds`, method: 'POST', path: definitions, body: () => withinBounds(body) },
  ]),
  ...Object.entries(customObjects).flatMap(([about, custom]) => [
    {
      about: `${about}, within bounds`,
      method: 'POST',
      path: objects,
      body: () => withinBounds(custom.object),
      given: [{ path: definitions, body: custom.schema as () => string }],
    },
    {
      about: `${about}, as a patch`,
      method: 'PATCH',
      path: `${objects}/o`,
      headers: merge,
      body: () => withinBounds(custom.object),
      given: [
        { path: definitions, body: custom.schema as () => string },
        { path: objects, body: () => '{"apiVersion":"example.com/v1","kind":"A","metadata":{"name":"o"}}' },
      ],
    },
  ]),
  ...readings,
];
