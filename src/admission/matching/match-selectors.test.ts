import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { testRequest, testTarget } from '../test-request.conformance.ts';
import type { MatchConstraints } from './match-constraints.ts';
import { matchesSelectors } from './match-selectors.ts';

const namespace: ResourceObject = { metadata: { name: 'ns', labels: { env: 'prod' } } };
const objects: ObjectReader = { get: (_type, { name }) => (name === 'ns' ? namespace : undefined), list: () => [] };
const prod = { matchLabels: { env: 'prod' } };

const labeled = (env: string): ResourceObject => ({ metadata: { labels: { env } } });

describe('selectors', () => {
  it.each<[name: string, constraints: MatchConstraints, request: Partial<AdmissionRequest>, matches: boolean]>([
    ['none', {}, {}, true],
    ['empty ones', { namespaceSelector: {}, objectSelector: {} }, { namespace: 'missing' }, true],
    ['of the namespace', { namespaceSelector: prod }, {}, true],
    ['of another namespace', { namespaceSelector: { matchLabels: { env: 'test' } } }, {}, false],
    ['of the namespace, outside of namespaces', { namespaceSelector: prod }, { namespace: '' }, true],
    ['of the new object', { objectSelector: prod }, { object: labeled('prod') }, true],
    ['of the old object', { objectSelector: prod }, { object: labeled('x'), oldObject: labeled('prod') }, true],
    ['of no object', { objectSelector: prod }, { object: labeled('x'), oldObject: labeled('y') }, false],
    [
      'by absence',
      { objectSelector: { matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] } },
      { object: { metadata: {} } },
      true,
    ],
    [
      'by absence, of options',
      { objectSelector: { matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] } },
      { object: { kind: 'PodExecOptions' } as unknown as ResourceObject },
      false,
    ],
  ])('%s', async (_name, constraints, request, matches) => {
    expect(await matchesSelectors(constraints, testRequest(testTarget('/pods'), request), objects)).toBe(matches);
  });

  it('need the namespace', async () => {
    const request = testRequest(testTarget('/pods'), { namespace: 'missing' });
    expect(() => matchesSelectors({ namespaceSelector: prod }, request, objects)).toThrow(
      'namespaces "missing" not found',
    );
  });

  it.each<[operation: AdmissionRequest['operation'], path: string, env: string, matches: boolean]>([
    ['CREATE', '/namespaces', 'prod', true],
    ['UPDATE', '/namespaces', 'test', false],
    ['DELETE', '/namespaces', 'test', true],
    ['UPDATE', '/namespaces/finalize', 'test', true],
  ])('select a namespace itself: %s at %s with %s', async (operation, path, env, matches) => {
    const target = { ...testTarget(path, 'Namespace'), namespaced: false };
    const request = testRequest(target, { operation, namespace: 'ns', name: 'ns', object: labeled(env) });
    expect(await matchesSelectors({ namespaceSelector: prod }, request, objects)).toBe(matches);
  });
});
