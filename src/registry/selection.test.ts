import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFieldSelector } from '../meta/field-selector.ts';
import { parseLabelSelector } from '../meta/label-selector.ts';
import type { ResourceObject } from '../meta/object.ts';
import { builtInResources } from '../resources/index.ts';
import { createMemoryStorage } from '../storage/index.ts';
import {
  CachedObjectStore,
  type Decision,
  type ObjectScope,
  RecentBytes,
  StoredObject,
  selects,
} from '../store/index.ts';
import type { Selection } from './resource.ts';
import { ResourceContext } from './resource-context.ts';
import { selection } from './selection.ts';

function contextOf(resource: string, group = ''): ResourceContext {
  const definition = builtInResources.find((each) => each.resource === resource && each.group === group)!;
  const layout = definition.storage!;
  const store = new CachedObjectStore({
    storage: createMemoryStorage(),
    prefix: `/registry/${layout.keyPrefix}/`,
    encoded: new RecentBytes(0),
    signal: AbortSignal.abort(),
  });
  return new ResourceContext({ definition, layout, store });
}

const pods = contextOf('pods');
const nodes = contextOf('nodes');
const volumes = contextOf('persistentvolumes');
const slices = contextOf('resourceslices', 'resource.k8s.io');
const events = contextOf('events');
const newEvents = contextOf('events', 'events.k8s.io');

function select(context: ResourceContext, request: Partial<Selection>): ObjectScope {
  return selection(context, { namespace: '', labelSelector: '', fieldSelector: '', ...request });
}

/** An object stored in the version of its context. */
function stored(
  context: ResourceContext,
  object: Omit<ResourceObject, 'kind' | 'apiVersion'>,
  revision = 7,
): StoredObject {
  const { kind } = context.definition;
  const { metadata, ...rest } = object as ResourceObject;
  const whole = { kind, apiVersion: context.apiVersion, metadata: { uid: 'u', ...metadata }, ...rest };
  const key = context.keys.of(metadata.namespace ?? '', metadata.name!);
  const decision = context.codec.put(whole) as Extract<Decision, { action: 'put' }>;
  return StoredObject.fromValue({ key, value: decision.value, revision });
}

const chosen = (scope: ObjectScope, object: StoredObject): boolean =>
  object.key.startsWith(scope.prefix) && selects(scope, object);

describe('the scope', () => {
  const all = { prefix: '/registry/pods/' };
  const shop = { prefix: '/registry/pods/shop/' };

  it.each<[string, string, string, object]>([
    ['pods', '', '', all],
    ['pods', 'shop', '', shop],
    ['pods', 'shop', 'metadata.name=x', { ...shop, key: '/registry/pods/shop/x' }],
    ['pods', 'shop', 'metadata.name==x,metadata.name=x', { ...shop, key: '/registry/pods/shop/x' }],
    ['pods', 'shop', 'metadata.name=x,metadata.name!=y', { ...shop, key: '/registry/pods/shop/x' }],
    ['pods', 'shop', 'metadata.name=x,metadata.namespace=shop', { ...shop, key: '/registry/pods/shop/x' }],
    ['pods', '', 'metadata.name=x,metadata.namespace=shop', { ...shop, key: '/registry/pods/shop/x' }],
    ['pods', '', 'metadata.namespace=shop', shop],
    ['pods', '', 'metadata.namespace=shop,metadata.namespace!=other', shop],
    ['pods', 'shop', 'metadata.namespace=shop', shop],
    ['pods', 'shop', 'metadata.namespace!=other', shop],
    ['pods', '', 'metadata.namespace!=a/b', all],
    ['pods', '', 'metadata.name!=', all],
    ['nodes', '', 'metadata.name=x', { prefix: '/registry/minions/', key: '/registry/minions/x' }],
    ['persistentvolumes', '', 'metadata.namespace=', { prefix: '/registry/persistentvolumes/' }],
    ['persistentvolumes', '', 'metadata.namespace!=x', { prefix: '/registry/persistentvolumes/' }],
    ['persistentvolumes', '', 'metadata.name!=a/b', { prefix: '/registry/persistentvolumes/' }],
  ])('is, for %s in namespace "%s" by "%s", what the request states', (resource, namespace, fieldSelector, scope) => {
    const context = { pods, nodes, persistentvolumes: volumes }[resource]!;
    expect(select(context, { namespace, fieldSelector })).toEqual(scope);
  });

  it.each<[string, string, string, object]>([
    ['', 'metadata.name=x', '', all],
    ['', 'metadata.name!=x', '', all],
    ['', 'metadata.namespace!=x', '', all],
    ['shop', 'metadata.name!=x', '', shop],
    ['shop', 'metadata.name=x,status.phase=Running', '', { ...shop, key: '/registry/pods/shop/x' }],
    ['shop', 'metadata.name=x,spec.nodeName=n', '', { ...shop, key: '/registry/pods/shop/x' }],
    ['shop', 'metadata.name=x', 'app=web', { ...shop, key: '/registry/pods/shop/x' }],
    ['', 'status.phase=Running,metadata.namespace=shop', '', shop],
    ['shop', '', 'app', shop],
  ])(
    'in namespace "%s" by "%s" and "%s" leaves something to test',
    (namespace, fieldSelector, labelSelector, scope) => {
      expect(select(pods, { namespace, fieldSelector, labelSelector })).toEqual({
        ...scope,
        matches: expect.any(Function),
      });
    },
  );

  it.each<[ResourceContext, string, string]>([
    [pods, 'shop', 'metadata.namespace=other'],
    [pods, 'shop', 'metadata.namespace!=shop'],
    [pods, 'shop', 'metadata.namespace='],
    [pods, '', 'metadata.namespace='],
    [pods, '', 'metadata.namespace=shop/x'],
    [pods, '', 'metadata.namespace=shop,metadata.namespace=other'],
    [pods, 'shop', 'metadata.name=x,metadata.name=y'],
    [pods, 'shop', 'metadata.name=x,metadata.name!=x'],
    [pods, '', 'metadata.name=x,metadata.name!=x'],
    [pods, 'shop', 'metadata.name='],
    [pods, '', 'metadata.name=shop/x'],
    [pods, 'shop', 'metadata.name=../other/x'],
    [nodes, '', 'metadata.name=shop/x'],
    [volumes, '', 'metadata.namespace=shop'],
    [volumes, '', 'metadata.namespace!='],
  ])('holds nothing when nothing can match (%#: "%s" "%s")', (context, namespace, fieldSelector) => {
    const scope = select(context, { namespace, fieldSelector });
    expect(scope).toMatchObject({ prefix: context.keys.prefix(namespace), key: context.keys.prefix(namespace) });
    expect(selects(scope, stored(context, { metadata: { name: 'x', namespace: 'shop' } }))).toBe(false);
  });
});

describe('an indexed field', () => {
  const index = expect.objectContaining({ name: 'v1 spec.nodeName' });

  it.each([
    ['spec.nodeName=n', 'n'],
    ['spec.nodeName=', ''],
    ['spec.host=n', 'n'],
  ])('makes %s a scope', (fieldSelector, value) => {
    expect(select(pods, { fieldSelector })).toEqual({ prefix: '/registry/pods/', indexed: { index, value } });
  });

  it.each(['spec.nodeName!=n', 'status.phase=Running'])('is not used for %s', (fieldSelector) => {
    expect(select(pods, { fieldSelector })).toEqual({ prefix: '/registry/pods/', matches: expect.any(Function) });
  });

  it('leaves other requirements to be tested', () => {
    const scope = select(pods, { namespace: 'shop', fieldSelector: 'spec.nodeName=n,status.phase!=Failed' });
    expect(scope).toEqual({
      prefix: '/registry/pods/shop/',
      indexed: { index, value: 'n' },
      matches: expect.any(Function),
    });
  });

  it('has one index, whatever the request and the name of the field', () => {
    const indexOf = (context: ResourceContext, fieldSelector: string) =>
      select(context, { fieldSelector }).indexed?.index;
    expect(indexOf(pods, 'spec.host=b')).toBe(indexOf(pods, 'spec.nodeName=a'));
    expect(indexOf(slices, 'spec.nodeName=a')).toMatchObject({ name: 'resource.k8s.io/v1 spec.nodeName' });
  });

  it('yields the value of an object', () => {
    const { index: found } = select(pods, { fieldSelector: 'spec.nodeName=n' }).indexed!;
    const metadata = { name: 'x', namespace: 'shop' };
    expect(found.valueOf(stored(pods, { metadata, spec: { nodeName: 'n' } }))).toBe('n');
    expect(found.valueOf(stored(pods, { metadata }))).toBe('');
  });
});

describe('an object', () => {
  it.each([
    ['', 'metadata.name=x', ''],
    ['shop', 'metadata.name=x', ''],
    ['', 'metadata.namespace=shop,metadata.name!=y', ''],
    ['', 'metadata.name=x', 'app=web'],
  ])('is not parsed for namespace "%s", fields "%s" and labels "%s"', (namespace, fieldSelector, labelSelector) => {
    const value = Buffer.from('{"kind":"Pod","metadata":{"uid":"u","labels":{"app":"web"}},"spec":no JSON');
    const object = StoredObject.fromValue({ key: '/registry/pods/shop/x', value, revision: 7 });
    expect(chosen(select(pods, { namespace, fieldSelector, labelSelector }), object)).toBe(true);
  });

  it('is selected in the version in which it is served', () => {
    const metadata = { name: 'x', namespace: 'shop' };
    const object = stored(newEvents, { metadata, regarding: { kind: 'Pod', name: 'p' }, reportingController: 'c' });
    const isChosen = (context: ResourceContext, fieldSelector: string) =>
      chosen(select(context, { fieldSelector }), object);
    expect(isChosen(newEvents, 'regarding.name=p,reportingController=c')).toBe(true);
    expect(isChosen(events, 'involvedObject.name=p,reportingComponent=c,source=c')).toBe(true);
    expect(isChosen(newEvents, 'regarding.name!=p')).toBe(false);
    expect(isChosen(events, 'involvedObject.name!=p')).toBe(false);
  });
});

it('reports label errors before field errors', () => {
  const refusal = (request: Partial<Selection>) => () => select(pods, request);
  expect(refusal({ labelSelector: 'a b', fieldSelector: 'x' })).toThrow('unable to parse requirement');
  expect(refusal({ labelSelector: 'a', fieldSelector: 'x' })).toThrow("can't understand 'x'");
  expect(refusal({ labelSelector: 'a', fieldSelector: 'x=y' })).toThrow('field label not supported: x');
});

describe('what is selected', () => {
  const word = fc.constantFrom('a', 'b', 'a-b', 'c');
  const maybe = fc.option(word, { nil: undefined });
  const labels = fc.option(fc.dictionary(word, fc.constantFrom('', 'a', '1', '2', '"\\{'), { maxKeys: 3 }), {
    nil: undefined,
  });
  const any = fc.constantFrom('', 'a', 'b', 'a-b', 'c', 'a/b', '/', 'true', 'false');
  const labelTerm = fc.oneof(
    word,
    word.map((key) => `!${key}`),
    fc.tuple(word, fc.constantFrom('=', '!=', '=='), fc.constantFrom('', 'a', '1')).map((pieces) => pieces.join('')),
    fc.tuple(word, fc.constantFrom('in', 'notin')).map(([key, operator]) => `${key} ${operator} (a,2)`),
    fc.tuple(word, fc.constantFrom('>', '<')).map(([key, operator]) => `${key}${operator}1`),
  );
  const selector = (terms: fc.Arbitrary<string>) => fc.array(terms, { maxLength: 3 }).map((each) => each.join(','));
  const fieldTerm = (...names: string[]) =>
    fc.tuple(fc.constantFrom(...names), fc.constantFrom('=', '!='), any).map((pieces) => pieces.join(''));
  const metadata = { name: word, labels };

  /** A simple evaluation of the same selection. */
  function isSelected(context: ResourceContext, object: ResourceObject, request: Partial<Selection>): boolean {
    const { fieldSelectors } = context.definition.rules;
    const { name, namespace = '' } = object.metadata;
    return (
      (request.namespace === '' || request.namespace === namespace) &&
      parseLabelSelector(request.labelSelector!).matches(object.metadata.labels) &&
      parseFieldSelector(request.fieldSelector!).requirements.every(({ field, operator, value }) => {
        const own = { 'metadata.name': name, 'metadata.namespace': namespace }[field];
        return ((own ?? fieldSelectors!.fields[field]!(object)) === value) === (operator === '=');
      })
    );
  }

  function expectSame(context: ResourceContext, object: ResourceObject, request: Partial<Selection>): void {
    const found = chosen(select(context, request), stored(context, object));
    expect(found).toBe(isSelected(context, object, request));
  }

  it('matches a simple evaluation for a namespaced type', () => {
    const pod = fc.record({
      metadata: fc.record({ ...metadata, namespace: word }),
      spec: fc.record({ nodeName: maybe, hostNetwork: fc.option(fc.boolean(), { nil: undefined }) }),
      status: fc.record({ phase: maybe }),
    });
    const fields = [
      'metadata.name',
      'metadata.namespace',
      'spec.nodeName',
      'spec.host',
      'spec.hostNetwork',
      'status.phase',
    ];
    const request = fc.record({
      namespace: fc.constantFrom('', 'a', 'b'),
      labelSelector: selector(labelTerm),
      fieldSelector: selector(fieldTerm(...fields)),
    });
    fc.assert(
      fc.property(pod, request, (object, selection) => expectSame(pods, object, selection)),
      { numRuns: 2000 },
    );
  });

  it('matches a simple evaluation for a cluster-scoped type', () => {
    const volume = fc.record({ metadata: fc.record(metadata) });
    const request = fc.record({
      namespace: fc.constant(''),
      labelSelector: selector(labelTerm),
      fieldSelector: selector(fieldTerm('metadata.name', 'metadata.namespace')),
    });
    fc.assert(
      fc.property(volume, request, (object, selection) => expectSame(volumes, object, selection)),
      { numRuns: 500 },
    );
  });
});
