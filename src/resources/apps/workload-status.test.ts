import { describe, expect, it } from 'vitest';
import { type FieldError, fieldErrorText } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { validateDaemonSetStatus } from './daemon-set-validation.ts';
import { validateDeploymentStatus } from './deployment-validation.ts';
import { validateReplicaSetStatus } from './replica-set-rules.ts';
import { validateStatefulSetStatus } from './stateful-set-validation.ts';

type Validate = (next: ResourceObject, oldObject: ResourceObject) => FieldError[];

const counted = (status: object): ResourceObject => ({ metadata: {}, status });

const negative = (counter: string, value: number | bigint = -1) =>
  `status.${counter}: Invalid value: ${value}: must be greater than or equal to 0`;
const tooMany = (counter: string, value: number, limit = 'status.replicas') =>
  `status.${counter}: Invalid value: ${value}: cannot be greater than ${limit}`;
const decremented = (value: number) => `status.collisionCount: Invalid value: ${value}: cannot be decremented`;

interface Case {
  readonly name: string;
  readonly validate: Validate;
  readonly status: object;
  readonly old?: object;
  readonly errors: readonly string[];
}

describe('the status of workloads', () => {
  it.each<Case>([
    { name: 'nothing counted', validate: validateDeploymentStatus, status: {}, errors: [] },
    {
      name: 'deployment: negative counters in their order',
      validate: validateDeploymentStatus,
      status: {
        observedGeneration: -(2n ** 60n),
        replicas: -1,
        updatedReplicas: -1,
        readyReplicas: -1,
        availableReplicas: -1,
        unavailableReplicas: -1,
        terminatingReplicas: -1,
        collisionCount: -1,
      },
      errors: [
        negative('observedGeneration', -(2n ** 60n)),
        negative('replicas'),
        negative('updatedReplicas'),
        negative('readyReplicas'),
        negative('availableReplicas'),
        negative('unavailableReplicas'),
        negative('terminatingReplicas'),
        negative('collisionCount'),
      ],
    },
    {
      name: 'deployment: counters greater than the replicas',
      validate: validateDeploymentStatus,
      status: { replicas: 1, updatedReplicas: 2, readyReplicas: 3, availableReplicas: 4, unavailableReplicas: 9 },
      errors: [
        tooMany('updatedReplicas', 2),
        tooMany('readyReplicas', 3),
        tooMany('availableReplicas', 4),
        tooMany('availableReplicas', 4, 'readyReplicas'),
      ],
    },
    {
      name: 'stateful set: more available than ready',
      validate: validateStatefulSetStatus,
      status: { replicas: 5, currentReplicas: 6, readyReplicas: 1, availableReplicas: 2 },
      errors: [tooMany('currentReplicas', 6), tooMany('availableReplicas', 2, 'status.readyReplicas')],
    },
    {
      name: 'replica set: labeled counts, too',
      validate: validateReplicaSetStatus,
      status: { replicas: 1, fullyLabeledReplicas: 2, terminatingReplicas: -1 },
      errors: [negative('terminatingReplicas'), tooMany('fullyLabeledReplicas', 2)],
    },
    {
      name: 'daemon set: collisions are not forgotten',
      validate: validateDaemonSetStatus,
      status: { numberReady: -1 },
      old: { collisionCount: 2 },
      errors: [negative('numberReady'), decremented(0)],
    },
    {
      name: 'collisions go down',
      validate: validateDeploymentStatus,
      status: { collisionCount: 1 },
      old: { collisionCount: 2 },
      errors: [decremented(1)],
    },
    {
      name: 'collisions go up',
      validate: validateStatefulSetStatus,
      status: { collisionCount: 3 },
      old: { collisionCount: 2 },
      errors: [],
    },
  ])('$name', ({ validate, status, old = {}, errors }) => {
    expect(validate(counted(status), counted(old)).map(fieldErrorText)).toEqual(errors);
  });
});
