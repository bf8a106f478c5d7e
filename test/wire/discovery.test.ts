import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, TestApi } from './api.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind: { readonly kind: string };
  readonly scope: string;
  readonly verbs: readonly string[];
  readonly subresources?: readonly { readonly subresource: string; readonly verbs: readonly string[] }[];
}

interface Discovered extends DiscoveredResource {
  readonly apiVersion: string;
  readonly collection: string;
}

let api: TestApi;
let discovered: Discovered[];
beforeAll(async () => {
  api = await TestApi.start();
  const documents = await Promise.all(
    ['/api', '/apis'].map((path) => api.get(path, { headers: { accept: aggregated } })),
  );
  discovered = documents.flatMap(resourcesOf);
});
afterAll(() => api.stop());

interface Group {
  readonly metadata: { readonly name?: string };
  readonly versions: readonly { readonly version: string; readonly resources: readonly DiscoveredResource[] }[];
}

function resourcesOf({ body }: ApiResponse): Discovered[] {
  return (body.items as Group[]).flatMap(({ metadata: { name: group = '' }, versions }) =>
    versions.flatMap(({ version, resources }) => {
      const apiVersion = group === '' ? version : `${group}/${version}`;
      const root = group === '' ? `/api/${version}` : `/apis/${apiVersion}`;
      return resources.map((resource) => {
        const place = resource.scope === 'Namespaced' ? '/namespaces/default' : '';
        return { ...resource, apiVersion, collection: `${root}${place}/${resource.resource}` };
      });
    }),
  );
}

describe('the documents', () => {
  it('say what there is', async () => {
    expect((await api.get('/')).body.paths).toEqual(
      expect.arrayContaining(['/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1', '/version', '/openapi/v3']),
    );
    expect((await api.get('/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const groups = (await api.get('/apis')).body;
    expect(groups.kind).toBe('APIGroupList');
    expect(groups.groups).toContainEqual(expect.objectContaining({ name: 'apps' }));
    expect((await api.get('/apis/apps')).body).toMatchObject({
      kind: 'APIGroup',
      preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
    });
    expect((await api.get('/version')).body).toMatchObject({
      major: expect.stringMatching(/^[0-9]+$/),
      gitVersion: expect.stringMatching(/^v[0-9]+\.[0-9]+\.[0-9]+/),
    });
  });

  it.each(['/api', '/apis'])('are sent again only when they have changed: %s', async (path) => {
    const first = await api.get(path, { headers: { accept: aggregated } });
    expect(first.headers['content-type']).toBe(aggregated);
    expect(first.body.kind).toBe('APIGroupDiscoveryList');
    const etag = String(first.headers.etag);
    const again = await api.get(path, { headers: { accept: aggregated, 'if-none-match': etag } });
    expect({ status: again.status, text: again.text, etag: again.headers.etag }).toEqual({
      status: 304,
      text: '',
      etag,
    });
  });

  it('tell the same in both forms', async () => {
    const lists = await Promise.all(
      [...new Set(discovered.map(({ apiVersion }) => apiVersion))].map(async (apiVersion) => {
        const { body } = await api.get(apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`);
        return (body.resources as { name: string }[]).map(({ name }) => `${apiVersion} ${name}`);
      }),
    );
    const names = discovered.flatMap(({ apiVersion, resource, subresources = [] }) => [
      `${apiVersion} ${resource}`,
      ...subresources.map(({ subresource }) => `${apiVersion} ${resource}/${subresource}`),
    ]);
    expect(lists.flat().toSorted()).toEqual(names.toSorted());
  });

  it('exist in OpenAPI for every group version and do not change', async () => {
    const { paths } = (await api.get('/openapi/v3')).body;
    for (const apiVersion of new Set(discovered.map((resource) => resource.apiVersion))) {
      const key = apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`;
      expect(paths).toHaveProperty([key]);
    }
    const { serverRelativeURL } = paths['apis/apps/v1'];
    const { status, body } = await api.get(serverRelativeURL);
    expect(status).toBe(200);
    expect(body.components.schemas).toHaveProperty(['io.k8s.api.apps.v1.Deployment']);
  });

  it('say in OpenAPI what types and fields are, in words', async () => {
    const { definitions } = (await api.get('/openapi/v2')).body;
    const { components } = (await api.get('/openapi/v3/api/v1')).body;
    for (const types of [definitions, components.schemas]) {
      expect(types['io.k8s.api.core.v1.Pod']).toMatchObject({
        description: expect.stringMatching(/^One or more containers/),
        properties: {
          apiVersion: { description: expect.stringMatching(/\.$/) },
          metadata: { description: expect.stringMatching(/\.$/) },
          spec: { description: expect.stringMatching(/^What should run\./) },
        },
      });
      expect(types['io.k8s.api.core.v1.PodList'].description).toBe('A list of Pod objects.');
      expect(types['io.k8s.apimachinery.pkg.api.resource.Quantity'].description).toMatch(/^A number with/);
    }
  });
});

describe('what discovery promises', () => {
  it('are all the usual types', () => {
    expect(discovered.length).toBeGreaterThan(50);
    const names = discovered.map(({ resource }) => resource);
    expect(names).toEqual(expect.arrayContaining(['pods', 'configmaps', 'deployments', 'jobs', 'ingresses', 'leases']));
  });

  it('can be listed, in its namespace and over all of them', async () => {
    for (const { apiVersion, collection, resource, responseKind, scope, verbs } of discovered) {
      if (!verbs.includes('list')) continue;
      const paths = scope === 'Namespaced' ? [collection, collection.replace('/namespaces/default', '')] : [collection];
      for (const path of paths) {
        const { status, body } = await api.get(path);
        expect({ path, status, kind: body.kind, apiVersion: body.apiVersion }).toEqual({
          path,
          status: 200,
          kind: `${responseKind.kind}List`,
          apiVersion,
        });
        expect(resource).not.toContain('/');
      }
    }
  });

  it('has every verb that is listed, and no other', async () => {
    for (const { collection, verbs } of discovered) {
      for (const [verb, method, path, type] of requestsFor(collection)) {
        const response = await api.call(method, path, {
          body: method === 'GET' ? undefined : '!',
          headers: { 'content-type': type },
        });
        expect({ verb, path, allowed: isRouted(response) }).toEqual({ verb, path, allowed: verbs.includes(verb) });
      }
    }
  });

  it('has every subresource with its verbs', async () => {
    for (const { collection, subresources = [] } of discovered) {
      for (const { subresource, verbs } of subresources) {
        for (const [verb, method, path, type] of requestsFor(collection).filter(([name]) =>
          ['get', 'update', 'patch'].includes(name),
        )) {
          const response = await api.call(method, `${path}/${subresource}`, {
            body: method === 'GET' ? undefined : '!',
            headers: { 'content-type': type },
          });
          expect({ verb, path, subresource, allowed: isRouted(response) }).toEqual({
            verb,
            path,
            subresource,
            allowed: verbs.includes(verb),
          });
        }
      }
    }
  });
});

type VerbRequest = readonly [verb: string, method: string, path: string, type: string];

/** Returns one request per verb. The bodies are invalid, so that the handlers reject them. */
function requestsFor(collection: string): VerbRequest[] {
  const item = `${collection}/absent`;
  const json = 'application/json';
  return [
    ['get', 'GET', item, json],
    ['list', 'GET', collection, json],
    ['create', 'POST', collection, json],
    ['update', 'PUT', item, json],
    ['patch', 'PATCH', item, 'application/merge-patch+json'],
    ['delete', 'DELETE', item, json],
    ['deletecollection', 'DELETE', collection, json],
  ];
}

/** Whether the router found the handler. Only handlers report absent objects and invalid bodies. */
function isRouted({ status, body }: ApiResponse): boolean {
  if (status === 404) return body.details?.name === 'absent';
  return status !== 405;
}
