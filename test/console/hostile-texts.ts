import { expect } from 'vitest';
import type { TestApi } from '../wire/api.ts';
import { define } from '../wire/custom-types.ts';

/** A text with a script that would run if a page inserted it as HTML. */
const hostile = (place: string): string =>
  `"'><img src=x onerror=alert('${place}')><script>alert('${place}')</script>\${alert('${place}')}`;
const link = 'javascript:alert(document.domain)';

const group = 'attack.example.com';
const things = `/apis/${group}/v1/namespaces/default/things`;
/** Names of roles may contain nearly all characters. */
const roleName = `<img src=x onerror=alert('name')>`;

const definition = {
  metadata: { name: `things.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: hostile('description'),
            properties: {
              spec: {
                type: 'object',
                description: hostile('spec-description'),
                properties: {
                  text: { type: 'string', description: hostile('text-description'), default: hostile('default') },
                  url: { type: 'string', description: link },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
        additionalPrinterColumns: [
          {
            name: hostile('column'),
            type: 'string',
            jsonPath: '.spec.text',
            description: hostile('column-description'),
          },
          { name: link, type: 'string', jsonPath: '.spec.url' },
        ],
      },
    ],
  },
};

const thing = (owner: string) => ({
  apiVersion: `${group}/v1`,
  kind: 'Thing',
  metadata: {
    name: 'hostile',
    annotations: {
      note: hostile('annotation'),
      'example.com/link': link,
      url: `https://example.com/"onclick="alert(1)`,
    },
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'hostile', uid: owner }],
  },
  spec: { text: hostile('cell'), url: link },
  status: { conditions: [{ type: hostile('condition'), status: 'False', reason: link, message: hostile('message') }] },
});

/** Stores objects whose texts would attack the console. */
export async function storeHostileTexts(api: TestApi): Promise<void> {
  await define(api, definition);
  const manager = `?fieldManager=${encodeURIComponent(hostile('manager').slice(0, 100))}`;
  const made = await api.post(`/api/v1/namespaces/default/configmaps${manager}`, {
    metadata: { name: 'hostile', annotations: { note: hostile('annotation') } },
    data: { 'page.html': hostile('data') },
  });
  const created = await api.post(things + manager, thing(made.body.metadata.uid));
  expect([made.status, created.status]).toEqual([200, 200]);
  const role = await api.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    metadata: { name: roleName },
    rules: [{ nonResourceURLs: [link], verbs: [hostile('verb')] }],
  });
  expect(role.status).toBe(200);
  const event = await api.post('/api/v1/namespaces/default/events', {
    metadata: { name: 'hostile.1' },
    involvedObject: {
      apiVersion: `${group}/v1`,
      kind: 'Thing',
      namespace: 'default',
      name: 'hostile',
      uid: created.body.metadata.uid,
    },
    reason: hostile('reason'),
    message: hostile('event'),
    source: { component: hostile('component') },
    type: 'Warning',
  });
  expect(event.status).toBe(200);
  const policy = await api.post('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', {
    metadata: { name: 'hostile-policy', annotations: { note: hostile('policy') } },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }],
      },
      validations: [{ expression: 'true', message: hostile('validation') }],
    },
  });
  expect(policy.status).toBe(200);
}

const object = `objects/${group}/v1/things/default/hostile`;

/** The pages that show hostile texts: description, path and the shown text. */
export const pagesWithHostileTexts: readonly (readonly [page: string, path: string, text: string])[] = [
  ['a table of custom objects', `resources/${group}/v1/things`, `alert('cell')`],
  ['a table of roles', 'resources/rbac.authorization.k8s.io/v1/clusterroles', roleName],
  ['a table of events', 'resources/-/v1/events', `alert('event')`],
  ['an object', object, `alert('annotation')`],
  ['its YAML', `${object}?tab=yaml`, `alert('annotation')`],
  ['its relations', `${object}?tab=relations`, 'hostile'],
  ['its events', `${object}?tab=events`, `alert('event')`],
  ['who set what', `${object}?tab=blame`, `alert('manager')`],
  ['its history', `${object}?tab=history`, `alert('manager')`],
  ['a config map', 'objects/-/v1/configmaps/default/hostile', `alert('annotation')`],
  ['a role', `objects/rbac.authorization.k8s.io/v1/clusterroles/-/${encodeURIComponent(roleName)}`, roleName],
  ['a definition', `objects/apiextensions.k8s.io/v1/customresourcedefinitions/-/things.${group}?tab=yaml`, group],
  ['a new object', `create/${group}/v1/things`, group],
  ['a timeline', 'timeline?ns=default', `alert('manager')`],
  ['the custom resources', 'types', `things.${group}`],
  ['the admission', 'admission', 'hostile-policy'],
  ['the roles', 'access', 'cluster-admin'],
  ['the server', 'server', 'Requests'],
  ['a search', `types?q=${encodeURIComponent(hostile('address'))}`, 'Custom resources'],
  ['an address that leads nowhere', `nothing/${encodeURIComponent(roleName)}`, roleName],
];
