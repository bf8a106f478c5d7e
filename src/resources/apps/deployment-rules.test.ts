import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { deploymentRules } from './deployment-rules.ts';

const deployment = (metadata: ResourceObject['metadata']): ResourceObject => ({ metadata });

describe('deployments', () => {
  it.each<[string, Record<string, string> | undefined, number]>([
    ['the same annotations', { a: '1' }, 4],
    ['another value', { a: '2' }, 5],
    ['no annotations', undefined, 5],
  ])('increment the generation for changed annotations: %s', (_name, annotations, generation) => {
    const next = deployment({ generation: 4, annotations });
    deploymentRules.prepareUpdate!(next, deployment({ generation: 4, annotations: { a: '1' } }));
    expect(next.metadata.generation).toBe(generation);
  });

  it('keep their labels in a status update', () => {
    const next = deployment({ name: 'd', labels: { new: 'x' }, annotations: { new: 'y' } });
    deploymentRules.prepareStatusUpdate!(next, deployment({ labels: { old: 'x' } }));
    expect(next.metadata).toEqual({ name: 'd', labels: { old: 'x' }, annotations: { new: 'y' } });
  });

  it('warn of names that are not DNS labels', () => {
    const warnings = deploymentRules.warnings!(deployment({ name: 'a.b' }), undefined);
    expect(warnings).toEqual([
      'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    ]);
    expect(deploymentRules.warnings!(deployment({ name: 'a.b' }), deployment({ name: 'a.b' }))).toEqual([]);
  });
});
