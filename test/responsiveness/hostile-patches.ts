import type { HostileRequest } from './hostile-request.ts';
import { many, withinBounds } from './many.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

const keys = {
  path: configMaps,
  body: () =>
    many((i) => `"k${i}":"v"`, { before: '{"metadata":{"name":"keys"},"data":{', after: '}}', count: 19_000 }),
};
const few = { path: configMaps, body: () => '{"metadata":{"name":"few"},"data":{"a":"b"}}' };
const start = '"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":';
const wide = {
  path: deployments,
  body: () =>
    many((i) => `{"name":"c${i}","image":"i"}`, {
      before: `{"metadata":{"name":"wide"},"spec":{${start}{"containers":[`,
      after: ']}}}}',
      count: 5_000,
    }),
};
const narrow = {
  path: deployments,
  body: () => `{"metadata":{"name":"narrow"},"spec":{${start}{"containers":[{"name":"a","image":"b"}]}}}}`,
};

const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

interface Given {
  readonly path: string;
  readonly body: () => string;
}

function patches(type: keyof typeof types, [target, given]: [string, Given], bodies: Record<string, () => string>) {
  return Object.entries(bodies).flatMap(([about, body]): HostileRequest[] => {
    const request = {
      method: 'PATCH',
      path: type === 'apply' ? `${target}?fieldManager=m&force=true` : target,
      headers: { 'content-type': types[type] },
      given: [given],
    };
    return [
      { ...request, about: `${type} patch: ${about}`, body },
      { ...request, about: `${type} patch: ${about}, within bounds`, body: () => withinBounds(body) },
    ];
  });
}

const inSpec = (unit: (index: number) => string, count?: number): string =>
  many(unit, {
    before: '{"spec":{"template":{"spec":{"containers":[',
    after: ']}}}}',
    ...(count !== undefined && { count }),
  });
const operations = (unit: (index: number) => string): string => many(unit, { before: '[', after: ']', count: 10_000 });

export const hostilePatches: readonly HostileRequest[] = [
  ...patches('merge', [`${configMaps}/few`, few], {
    'many keys': () => many((i) => `"k${i}":"v"`, { before: '{"data":{', after: '}}', count: 200_000 }),
    'many nulls': () => many((i) => `"k${i}":null`, { before: '{"data":{', after: '}}' }),
    'many unknown fields': () => many((i) => `"k${i}":1`, { before: '{', after: '}' }),
    'small objects': () => many(() => '{"a":null}', { before: '{"x":[', after: ']}' }),
    'deep objects': () => `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`,
  }),
  ...patches('merge', [`${configMaps}/keys`, keys], {
    'many keys of many keys': () => many((i) => `"k${i * 2}":"w"`, { before: '{"data":{', after: '}}' }),
    'nothing of many keys': () => '{"metadata":{"labels":{"a":"b"}}}',
  }),
  ...patches('strategic', [`${deployments}/narrow`, narrow], {
    'many containers': () => inSpec((i) => `{"name":"c${i}","image":"i"}`, 40_000),
    'one container again and again': () => inSpec((i) => `{"name":"a","image":"i${i}"}`),
    'many deletions': () => inSpec((i) => `{"name":"c${i}","$patch":"delete"}`),
    'many orders': () => {
      const order = many((i) => `{"name":"c${i}"}`, { before: '[', after: ']', count: 60_000 });
      return `{"spec":{"template":{"spec":{"$setElementOrder/containers":${order},"containers":[{"name":"c9","image":"x"}]}}}}`;
    },
    'orders of what is not there': () =>
      many((i) => `"$setElementOrder/x${i}":[]`, { before: '{"spec":{"template":{"spec":{', after: '}}}}' }),
    'kept keys': () => many((i) => `"k${i}"`, { before: '{"spec":{"$retainKeys":[', after: ']}}' }),
    'unknown keys': () => many((i) => `"k${i}":1`, { before: '{"spec":{', after: '}}' }),
    'values to delete': () =>
      many((i) => `"k${i}"`, { before: '{"metadata":{"$deleteFromPrimitiveList/finalizers":[', after: ']}}' }),
    finalizers: () => many((i) => `"a.b/k${i}"`, { before: '{"metadata":{"finalizers":[', after: ']}}' }),
  }),
  ...patches('strategic', [`${deployments}/wide`, wide], {
    'containers among containers': () => inSpec((i) => `{"name":"c${i * 3}","image":"x"}`, 10_000),
    'a new order': () => {
      const order = many((i) => `{"name":"c${4_999 - i}"}`, { before: '[', after: ']', count: 5_000 });
      return `{"spec":{"template":{"spec":{"$setElementOrder/containers":${order},"containers":[]}}}}`;
    },
  }),
  ...patches('json', [`${configMaps}/few`, few], {
    'operations on one map': () => operations((i) => `{"op":"add","path":"/data/k${i}","value":"v"}`),
    'copies that grow': () => operations((i) => `{"op":"copy","from":"/data","path":"/data/k${i}"}`),
    'copies of one text': () =>
      `[{"op":"add","path":"/data/t","value":"${'x'.repeat(100_000)}"},${operations((i) => `{"op":"copy","from":"/data/t","path":"/data/k${i}"}`).slice(1)}`,
    tests: () => operations(() => '{"op":"test","path":"/data/a","value":"b"}'),
    'too many operations': () => many(() => '{}', { before: '[', after: ']' }),
    'unknown members': () => operations((i) => `{"op":"test","path":"/data/a","value":"b","x${i}":1}`),
    'long paths': () =>
      many(() => `{"op":"add","path":"${'/a'.repeat(10_000)}","value":1}`, { before: '[', after: ']' }),
    'one long path': () => `[{"op":"add","path":"${'/a'.repeat(1_400_000)}","value":1}]`,
    'one long list': () =>
      `[{"op":"add","path":"/x","value":[]},${operations(() => '{"op":"add","path":"/x/0","value":1}').slice(1)}`,
    'insertions at the front of a long list': () =>
      `[{"op":"add","path":"/x","value":[${'1,'.repeat(1_000_000)}1]},${many(() => '{"op":"add","path":"/x/0","value":1}', { count: 9_900 })}]`,
  }),
  ...patches('json', [`${configMaps}/keys`, keys], {
    'moves within many keys': () => operations((i) => `{"op":"move","from":"/data/k${i}","path":"/data/m${i}"}`),
    'copies of many keys': () => operations((i) => `{"op":"copy","from":"/data","path":"/x${i}"}`),
    'tests of many keys': () => {
      const value = `{${many((i) => `"k${i}":"v"`, { count: 19_000 })}}`;
      return `[${many(() => `{"op":"test","path":"/data","value":${value}}`)}]`;
    },
    'removals from many keys': () => operations((i) => `{"op":"remove","path":"/data/k${i}"}`),
  }),
  ...patches('json', [`${deployments}/wide`, wide], {
    'removals from a list': () =>
      many(() => '{"op":"remove","path":"/spec/template/spec/containers/0"}', {
        before: '[',
        after: ']',
        count: 4_900,
      }),
    'moves within a list': () =>
      operations(
        () => '{"op":"move","from":"/spec/template/spec/containers/4999","path":"/spec/template/spec/containers/0"}',
      ),
  }),
  ...patches('apply', [`${configMaps}/few`, few], {
    'many keys': () =>
      many((i) => `"k${i}":"v"`, {
        before: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"few"},"data":{',
        after: '}}',
      }),
    'many keys in YAML': () =>
      many((i) => `  k${i}: v`, {
        before: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: few}\ndata:\n',
        separator: '\n',
      }),
    finalizers: () =>
      many((i) => `"a.b/k${i}"`, {
        before: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"few","finalizers":[',
        after: ']}}',
      }),
    'one finalizer again and again': () =>
      many(() => '"a.b/k"', {
        before: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"few","finalizers":[',
        after: ']}}',
      }),
    'unknown fields': () =>
      many((i) => `"k${i}":1`, {
        before: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"few"},',
        after: '}',
      }),
    owners: () =>
      many((i) => `{"apiVersion":"v1","kind":"Pod","name":"n${i}","uid":"u${i}"}`, {
        before: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"few","ownerReferences":[',
        after: ']}}',
      }),
  }),
  ...patches('apply', [`${deployments}/narrow`, narrow], {
    containers: () =>
      many((i) => `{"name":"c${i}","image":"i"}`, {
        before: `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"narrow"},"spec":{${start}{"containers":[`,
        after: ']}}}}',
        count: 40_000,
      }),
    'one container again and again': () =>
      many(() => '{"name":"c","image":"i"}', {
        before: `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"narrow"},"spec":{${start}{"containers":[`,
        after: ']}}}}',
      }),
    ports: () =>
      many((i) => `{"containerPort":${i},"protocol":"TCP"}`, {
        before: `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"narrow"},"spec":{${start}{"containers":[{"name":"a","ports":[`,
        after: ']}]}}}}',
      }),
  }),
  ...patches('apply', [`${deployments}/wide`, wide], {
    'containers among containers': () =>
      many((i) => `{"name":"c${i}","image":"x"}`, {
        before: `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"wide"},"spec":{${start}{"containers":[`,
        after: ']}}}}',
        count: 5_000,
      }),
  }),
];
