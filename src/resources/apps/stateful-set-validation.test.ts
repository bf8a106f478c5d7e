import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { setStatefulSetDefaults } from './stateful-set-defaults.ts';
import { validateStatefulSetUpdate } from './stateful-set-validation.ts';
import { claimTemplateWarnings, templateWithClaims } from './volume-claim-templates.ts';

function statefulSet(spec: object): ResourceObject {
  const object = {
    metadata: { name: 's' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: {
          containers: [
            { name: 'c', image: 'i', terminationMessagePolicy: 'File', imagePullPolicy: 'Always', resources: {} },
          ],
        },
      },
      updateStrategy: {},
      ...spec,
    },
  };
  setStatefulSetDefaults(object);
  return object;
}

const forbidden =
  "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

describe('changes of a stateful set', () => {
  it.each<[string, object, readonly string[]]>([
    ['nothing', {}, []],
    ['replicas', { replicas: 4 }, []],
    ['ordinals', { ordinals: { start: 1 } }, []],
    ['the strategy', { updateStrategy: { type: 'OnDelete' } }, []],
    ['the history', { revisionHistoryLimit: 3, minReadySeconds: 1 }, []],
    ['the retention', { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } }, []],
    ['the service, even to a bad name', { serviceName: 'Bad_' }, [forbidden]],
    ['the management policy', { podManagementPolicy: 'Parallel' }, [forbidden]],
    ['the claims, even to bad ones', { volumeClaimTemplates: [{ metadata: { name: 'c' } }] }, [forbidden]],
  ])('%s', (_name, change, errors) => {
    const next = statefulSet({ serviceName: 'svc', ...change });
    expect(validateStatefulSetUpdate(next, statefulSet({ serviceName: 'svc' })).map(fieldErrorText)).toEqual(errors);
  });
});

describe('templateWithClaims', () => {
  it('puts each claim first and once, replacing volumes of the same name', () => {
    const template = {
      spec: { volumes: [{ name: 'data', emptyDir: {} }, { name: 'config' }], hostname: 'H', subdomain: 'S' },
    };
    const claims = ['data', 'logs', 'data'].map((name) => ({ metadata: { name } }));
    expect(templateWithClaims(template, claims)).toEqual({
      spec: {
        volumes: [
          { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
          { name: 'logs', persistentVolumeClaim: { claimName: 'logs' } },
          { name: 'config' },
        ],
      },
    });
    expect(template.spec.volumes).toHaveLength(2);
  });
});

describe('claimTemplateWarnings', () => {
  it('warns of fractional bytes', () => {
    const claims = [
      { spec: { resources: { requests: { storage: '1Gi' } } } },
      { spec: { resources: { requests: { storage: '500m' }, limits: { storage: '1500m' } } } },
    ];
    expect(claimTemplateWarnings(claims, 'v')).toEqual([
      'v[1].resources.requests[storage]: fractional byte value "500m" is invalid, must be an integer',
      'v[1].resources.limits[storage]: fractional byte value "1500m" is invalid, must be an integer',
    ]);
  });
});
