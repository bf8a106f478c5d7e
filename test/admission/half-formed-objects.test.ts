import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { AdmissionChain, type AdmissionOperation, type AdmissionTarget } from '../../src/admission/index.ts';
import { RbacAuthorizer, RbacIndex } from '../../src/authz/rbac/index.ts';
import { DecodeError } from '../../src/meta/decode-error.ts';
import { apiVersionOf } from '../../src/meta/group-version.ts';
import type { ResourceObject } from '../../src/meta/object.ts';
import type { ObjectReader } from '../../src/meta/object-reader.ts';
import { StatusError } from '../../src/meta/status-error.ts';
import { admissionRequest, storedTarget } from '../../src/registry/admit-write.ts';
import { subresourceKind } from '../../src/registry/index.ts';
import { builtInResources, optionalResources, schemaOf } from '../../src/resources/index.ts';
import { compileKind, Findings } from '../../src/schema/normalize/index.ts';
import { admissionPlugins } from '../../src/server/admission/admission-plugins.ts';
import { enabledPlugins, pluginOrder } from '../../src/server/admission/enabled-plugins.ts';
import { generateObject } from '../codec/generated-object.ts';
import { Random } from '../codec/random.ts';
import { isLong } from '../is-long.ts';
import { completeObjects } from './complete-objects.ts';
import { presentObjects } from './present-objects.ts';

const rounds = isLong ? 8 : 1;

const rbac = new RbacAuthorizer(new RbacIndex());
const jane = { name: 'jane', uid: '', groups: ['dev'], extra: {} };
const node = { name: 'system:node:n1', uid: '', groups: ['system:nodes'], extra: {} };
const users = [jane, node];
const objects: ObjectReader = {
  get: ({ resource }, { name }) => presentObjects[resource]?.(name)[0],
  list: ({ resource }) => presentObjects[resource]?.('one') ?? [],
};
const plugins = admissionPlugins({
  objects: {
    ...objects,
    findKind: () => undefined,
    update: async (_type, _item, change) => change(presentObjects.resourcequotas!('q')[0]!),
  },
  permissions: { modes: rbac, rbac, nodes: { mayBeAuthorized: true, areAuthorized: () => true } },
  enabled: enabledPlugins({ enableAdmissionPlugins: pluginOrder }),
  stopCalls: new AbortController().signal,
  configuration: {
    EventRateLimit: [{ type: 'SourceAndObject', qps: 1, burst: 1, cacheSize: 1 }],
    PodNodeSelector: { clusterDefaultNodeSelector: 'disk=fast', ns: 'disk=fast' },
    PodSecurity: {
      defaults: {
        enforce: { level: 'restricted', version: 'latest' },
        audit: { level: 'baseline', version: 'latest' },
        warn: { level: 'restricted', version: 'v1.25' },
      },
      exemptions: { usernames: new Set(), namespaces: new Set(), runtimeClasses: new Set(['quick']) },
    },
    PodTolerationRestriction: { defaults: [{ operator: 'Exists' }], allowed: [{ key: 'a', effect: 'NoExecute' }] },
    ResourceQuota: [
      {
        group: '',
        resource: 'pods',
        matchContains: ['cpu'],
        matchScopes: [{ scopeName: 'BestEffort', operator: 'Exists' }],
      },
    ],
  },
  createNamespace: async () => {},
  typesOf: () => [{ resource: 'pods', namespaced: true }],
  imagePolicy: {
    review: async () => ({ allowed: false, reason: '', auditAnnotations: {} }),
    allowMs: 0,
    denyMs: 0,
    defaultAllow: false,
  },
});
const chain = new AdmissionChain(plugins, objects);
/** Each plugin runs in a chain of its own, so that a rejection by one plugin does not skip the plugins after it. */
const alone = plugins.map((plugin) => ({ name: plugin.name, chain: new AdmissionChain([plugin], objects) }));
const concernedPlugins = (operation: AdmissionOperation, target: AdmissionTarget) =>
  alone.filter(({ chain: only }) => only.concerns(operation, target));
/** Only NodeRestriction treats nodes differently from other users. */
const maySkip = (plugin: string, user: typeof node): boolean =>
  !isLong && user === node && plugin !== 'NodeRestriction';

/** Every endpoint that at least one plugin handles. */
const endpoints = [...builtInResources, ...optionalResources].flatMap((definition) =>
  ['', ...definition.subresources.map(({ name }) => name)].flatMap((subresource) => {
    const kind = subresourceKind({ ...definition, knownKind: () => undefined });
    const target = storedTarget(definition, subresource, { kind, targets: () => [], convert: (object) => object });
    const schema = subresource === '' ? definition.schema : schemaOf(target.kind);
    const operations = (['CREATE', 'UPDATE', 'DELETE'] as const).filter((name) => chain.concerns(name, target));
    if (schema === undefined || operations.length === 0) return [];
    const { resource } = target;
    const path = `${resource.group}/${resource.resource}${subresource && `/${subresource}`}`;
    // Endpoints that match only rules for all resources are alike, so one of them is enough.
    const isNamed = plugins.some(({ rules }) => rules.some(({ resources }) => resources.includes(path)));
    if (!isNamed && path !== '/configmaps') return [];
    const compiled = compileKind({ schema, kind: target.kind.kind, apiVersion: apiVersionOf(target.kind) });
    const rules = subresource === '' ? definition.rules : undefined;
    return [{ path, target, schema, compiled, rules, operations, namespaced: definition.namespaced }];
  }),
);
type Endpoint = (typeof endpoints)[number];

/** Returns the decoded object with its defaults, or undefined if the decoder rejects it. */
function normalized({ compiled, rules, namespaced }: Endpoint, value: unknown): ResourceObject | undefined {
  try {
    const object = compiled.normalize(value, new Findings());
    object.metadata = { ...object.metadata, name: 'one', ...(namespaced && { namespace: 'ns' }) };
    rules?.setDefaults?.(object);
    return object;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

async function admit(
  endpoint: Endpoint,
  operation: AdmissionOperation,
  [given, oldObject]: readonly [ResourceObject, ResourceObject],
): Promise<void> {
  const crashes: string[] = [];
  const object = copied(given);
  const concerned = concernedPlugins(operation, endpoint.target);
  for (const user of users) {
    const request = admissionRequest(endpoint.target, {
      operation,
      object,
      oldObject: operation === 'CREATE' ? undefined : oldObject,
      user,
      dryRun: false,
      warn: () => {},
    });
    for (const { name, chain: only } of concerned) {
      if (maySkip(name, user)) continue;
      try {
        await only.admit(request);
      } catch (error) {
        // Some rejections of kube-apiserver have no reason and therefore the code 500.
        const isRefusal =
          error instanceof StatusError && (error.status.code < 500 || error.status.reason === undefined);
        if (!isRefusal) crashes.push(`${name}: ${inspect(error)} for ${inspect([given, oldObject], { depth: null })}`);
      }
    }
  }
  expect(crashes).toEqual([]);
}

describe.each(endpoints)('no plugin fails on $path', (endpoint) => {
  it('when any part of a complete object is missing, empty or null', async () => {
    const complete = completeObjects[endpoint.target.kind.kind];
    if (complete === undefined) return;
    const whole = normalized(endpoint, complete)!;
    // Many variants are the same object after normalization. Each object is tested once.
    const seen = new Set([JSON.stringify(whole)]);
    for (const variant of incompleteVariants(complete)) {
      const object = normalized(endpoint, variant);
      if (object === undefined || seen.size === seen.add(JSON.stringify(object)).size) continue;
      for (const operation of endpoint.operations) {
        await admit(endpoint, operation, [object, whole]);
        if (operation === 'UPDATE') await admit(endpoint, operation, [whole, object]);
      }
    }
  });

  it('whatever is generated from its schema', async () => {
    const random = new Random(20_26);
    for (let round = 0; round < rounds; round++) {
      const pair = [0, 1].map(() => {
        const density = random.pick([0.2, 0.6, 0.95]);
        return normalized(endpoint, generateObject(endpoint.schema, { seed: random.bits(), density }));
      });
      const bare = normalized(endpoint, {})!;
      for (const operation of endpoint.operations) {
        await admit(endpoint, operation, [pair[0] ?? bare, pair[1] ?? bare]);
        await admit(endpoint, operation, [bare, pair[0] ?? bare]);
      }
    }
  });
});

it('covers every plugin', () => {
  const covered = plugins.filter(({ rules }) =>
    rules.some(({ resources }) =>
      endpoints.some(({ target: { resource, subresource } }) => {
        const path = `${resource.group}/${resource.resource}${subresource && `/${subresource}`}`;
        return resources.includes(path) || resources.some((pattern) => pattern.startsWith('*'));
      }),
    ),
  );
  expect(covered).toEqual(plugins);
});

/** Copies the value, because plugins change the new object in place. structuredClone takes longer than the plugins. */
function copied<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied) as T;
  const copy: Record<string, unknown> = {};
  for (const key in value) copy[key] = copied(value[key]);
  return copy as T;
}

/** Yields variants of the value in which one part is missing, null or empty. */
function* incompleteVariants(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  const rebuilt = (key: string, member: unknown): unknown =>
    Array.isArray(value)
      ? value.map((item, index) => (String(index) === key ? member : item))
      : Object.fromEntries(Object.entries(value).flatMap(([name, kept]) => [[name, name === key ? member : kept]]));
  for (const [key, member] of Object.entries(value)) {
    yield rebuilt(key, undefined);
    yield rebuilt(key, null);
    if (typeof member === 'object' && member !== null) yield rebuilt(key, Array.isArray(member) ? [] : {});
    if (typeof member === 'string') yield rebuilt(key, '');
    for (const variant of incompleteVariants(member)) yield rebuilt(key, variant);
  }
}
