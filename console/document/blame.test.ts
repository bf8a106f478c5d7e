import { describe, expect, it } from 'vitest';
import { Blame } from './blame.ts';
import type { Path } from './path.ts';

const entry = (manager: string, time: string, fieldsV1: object, operation = 'Update') => ({
  manager,
  operation,
  time,
  fieldsV1,
});

const object = {
  metadata: {
    labels: { 'a.b/c': 'x' },
    finalizers: ['one', 'two'],
    managedFields: [
      entry('kubectl', '2026-01-01T00:00:00Z', {
        'f:metadata': { 'f:labels': { '.': {}, 'f:a.b/c': {} }, 'f:finalizers': { '.': {}, 'v:"two"': {} } },
        'f:spec': {
          'f:replicas': {},
          'f:selector': {},
          'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:name': {}, 'f:image': {} } },
          'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
          'f:gone': {},
        },
      }),
      entry('scaler', '2026-02-01T00:00:00Z', { 'f:spec': { 'f:replicas': {} } }),
    ],
  },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    containers: [{ name: 'side' }, { name: 'web', image: 'nginx' }],
    ports: [{ port: 80 }],
  },
};

describe('Blame', () => {
  const blame = new Blame(object);

  it.each<[Path, string[]]>([
    [['metadata', 'labels'], ['kubectl']],
    [['metadata', 'labels', 'a.b/c'], ['kubectl']],
    [['metadata', 'finalizers', 0], []],
    [['metadata', 'finalizers', 1], ['kubectl']],
    [['spec'], []],
    [
      ['spec', 'replicas'],
      ['scaler', 'kubectl'],
    ],
    [['spec', 'selector', 'matchLabels', 'app'], ['kubectl']],
    [['spec', 'containers', 0, 'name'], []],
    [['spec', 'containers', 1, 'image'], ['kubectl']],
    [['spec', 'ports', 0, 'port'], ['kubectl']],
    [['status'], []],
  ])('knows who owns %j', (path, managers) => {
    expect(blame.ownersOf(path).map(({ manager }) => manager)).toEqual(managers);
  });

  it('is empty without managed fields, and with broken ones', () => {
    expect(new Blame({}).ownersOf(['spec'])).toEqual([]);
    const broken = entry('x', '', { 'k:{': {}, 'v:{': {}, 'i:x': {}, odd: {}, 'f:metadata': 1 });
    expect(new Blame({ metadata: { managedFields: [broken] } }).ownersOf(['metadata'])).toEqual([]);
  });
});
