import { expect, test } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { builtInResources } from '../../resources/index.ts';
import { compileKind, Findings } from '../../schema/normalize/index.ts';
import { afterUpdate } from './after-update.ts';
import { apply } from './apply.ts';
import { describeConflicts } from './conflict.ts';
import { fieldFilter } from './reset-fields.ts';
import { kindShape } from './shape.ts';

const time = '2020-01-01T00:00:00Z';

function kindOf(resource: string) {
  const definition = builtInResources.find((candidate) => candidate.resource === resource)!;
  const { group, version, kind, schema, rules, subresources } = definition;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const compiled = compileKind({ schema, kind, apiVersion });
  const hasStatus = subresources.some(({ name }) => name === 'status');
  const filter = fieldFilter({ group, resource, subresource: '', hasStatus });
  return {
    request: { shape: kindShape(schema), apiVersion, time, filter },
    type: { apiVersion, kind },
    canonical: (value: object): ResourceObject => {
      const object = compiled.normalize(value, new Findings());
      rules.setDefaults?.(object);
      return object;
    },
  };
}

const fieldsOf = (entries: readonly unknown[] | undefined) =>
  (entries ?? []).map((entry) => JSON.stringify((entry as { fieldsV1: unknown }).fieldsV1));

function created(resource: string, value: object): ResourceObject {
  const { request, canonical } = kindOf(resource);
  const next = canonical({ metadata: { name: 'x' }, ...value });
  const managedFields = afterUpdate({ ...request, manager: 'u', live: undefined, next });
  return { ...next, metadata: { ...next.metadata, uid: 'u', managedFields: managedFields as unknown[] } };
}

const container = { name: 'c', image: 'i' };

test.each<[string, object, string]>([
  ['configmaps', { data: { a: '1' } }, '{"f:data":{".":{},"f:a":{}}}'],
  ['secrets', { stringData: { a: '1' } }, '{"f:data":{".":{},"f:a":{}},"f:type":{}}'],
  [
    'deployments',
    {
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: { containers: [{ ...container, env: [{ name: 'E', value: '1' }] }] },
        },
      },
    },
    '{"f:spec":{"f:progressDeadlineSeconds":{},"f:replicas":{},"f:revisionHistoryLimit":{},"f:selector":{},"f:strategy":{"f:rollingUpdate":{".":{},"f:maxSurge":{},"f:maxUnavailable":{}},"f:type":{}},"f:template":{"f:metadata":{"f:labels":{".":{},"f:a":{}}},"f:spec":{"f:containers":{"k:{\\"name\\":\\"c\\"}":{".":{},"f:env":{".":{},"k:{\\"name\\":\\"E\\"}":{".":{},"f:name":{},"f:value":{}}},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}',
  ],
  [
    'services',
    { spec: { selector: { a: 'b' }, ports: [{ port: 80 }] } },
    '{"f:spec":{"f:internalTrafficPolicy":{},"f:ports":{".":{},"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:port":{},"f:protocol":{},"f:targetPort":{}}},"f:selector":{},"f:sessionAffinity":{},"f:type":{}}}',
  ],
  [
    'persistentvolumeclaims',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    '{"f:spec":{"f:accessModes":{},"f:resources":{"f:requests":{".":{},"f:storage":{}}},"f:volumeMode":{}}}',
  ],
  ['controllerrevisions', { data: { spec: { a: 1 } } }, '{"f:data":{}}'],
  ['limitranges', { spec: { limits: [] } }, '{"f:spec":{"f:limits":{}}}'],
  ['roles', { rules: [] }, '{"f:rules":{}}'],
  ['serviceaccounts', { secrets: [{ name: 's' }] }, '{"f:secrets":{".":{},"k:{\\"name\\":\\"s\\"}":{}}}'],
])('a create of %s owns its fields and the defaults', (resource, value, fields) => {
  expect(fieldsOf(created(resource, value).metadata.managedFields)).toEqual([fields]);
});

test.each<[string, object]>([
  ['configmaps', { data: {} }],
  ['limitranges', { spec: {} }],
  ['limitranges', { spec: { limits: null } }],
])('a create of %s without values owns nothing', (resource, value) => {
  expect(created(resource, value).metadata.managedFields).toBeUndefined();
});

test.each<[string, object, object, string]>([
  ['configmaps', { data: { a: '1' } }, { data: { a: '2' } }, '.data.a'],
  ['controllerrevisions', { data: { a: 1 }, revision: 1 }, { data: { b: 1 } }, '.data'],
  [
    'deployments',
    { spec: { replicas: 1, template: { spec: { containers: [container] } } } },
    { spec: { replicas: 2 } },
    '.spec.replicas',
  ],
  [
    'deployments',
    { spec: { template: { spec: { containers: [container] } } } },
    { spec: { template: { spec: { containers: [{ name: 'c', image: 'j' }] } } } },
    '.spec.template.spec.containers[name="c"].image',
  ],
  [
    'deployments',
    { spec: { selector: { matchLabels: { a: 'b' } } } },
    { spec: { selector: { matchLabels: { c: 'd' } } } },
    '.spec.selector',
  ],
  [
    'services',
    { spec: { ports: [{ port: 80, name: 'a' }] } },
    { spec: { ports: [{ port: 80, protocol: 'TCP', name: 'b' }] } },
    '.spec.ports[port=80,protocol="TCP"].name',
  ],
  ['services', { spec: { selector: { a: 'b' } } }, { spec: { selector: { a: 'b', c: 'd' } } }, '.spec.selector'],
  [
    'serviceaccounts',
    { imagePullSecrets: [{ name: 'p' }] },
    { imagePullSecrets: [{ name: 'q' }] },
    '.imagePullSecrets',
  ],
  ['rolebindings', { roleRef: { kind: 'Role', name: 'x' } }, { roleRef: { kind: 'Role', name: 'y' } }, '.roleRef'],
])('a conflict about %s (%#)', (resource, live, config, field) => {
  const { request, type } = kindOf(resource);
  const applied = { ...type, metadata: { name: 'x' }, ...config } as ResourceObject;
  const result = apply({ ...request, manager: 'a', live: created(resource, live), applied, force: false });
  expect(result.outcome === 'conflict' && describeConflicts(result.conflicts).message).toBe(
    `Apply failed with 1 conflict: conflict with "u" using ${type.apiVersion}: ${field}`,
  );
});

test('an unchanged configuration returns the live object itself', () => {
  const { request, type, canonical } = kindOf('deployments');
  const applied = {
    ...type,
    metadata: { name: 'x', labels: { l: '1' } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { a: 'b' } },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: {
          containers: [{ ...container, ports: [{ containerPort: 80 }], resources: { limits: { cpu: '1000m' } } }],
        },
      },
    },
  } as ResourceObject;
  const options = { ...request, manager: 'a', applied, force: false };
  const first = apply({ ...options, live: undefined });
  const live = canonical(first.outcome === 'applied' ? { ...first.object } : {});
  live.metadata.uid = 'u';
  expect(apply({ ...options, time: '2021-01-01T00:00:00Z', live })).toEqual({ outcome: 'applied', object: live });
  const again = apply({ ...options, time: '2021-01-01T00:00:00Z', live });
  expect(again.outcome === 'applied' && again.object).toBe(live);
});

test('nothing is recorded of a write to a list with an item that lacks its key', () => {
  const { request, canonical } = kindOf('serviceaccounts');
  expect(created('serviceaccounts', { secrets: [{ name: 'a' }, { kind: 'Secret' }] }).metadata.managedFields).toBe(
    undefined,
  );
  const live = created('serviceaccounts', { secrets: [{ name: 'a' }] });
  const next = canonical({ metadata: { ...live.metadata, labels: { a: 'b' } }, secrets: [{ name: 'a' }, {}] });
  expect(afterUpdate({ ...request, manager: 'v', live, next })).toBe(live.metadata.managedFields);
});

test('nothing is applied to a list with an item that lacks its key', () => {
  const { request, type } = kindOf('serviceaccounts');
  const live = { ...created('serviceaccounts', { secrets: [{}] }), ...type };
  const applied = { ...type, metadata: { name: 'x' }, secrets: [{ name: 'a' }] };
  expect(() => apply({ ...request, manager: 'm', live, applied, force: false })).toThrow(
    'failed to create typed live object (/x; /v1, Kind=ServiceAccount): .secrets: element 0: associative list with keys has an element that omits all key fields ["name"]',
  );
});
