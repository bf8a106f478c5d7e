import { expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { mutateWith, testRequest, testTarget } from '../test-request.conformance.ts';
import { alwaysPullImages } from './always-pull-images.ts';

const pods = testTarget('/pods', 'Pod');
const pod = (policy: string | undefined, image = 'i') => {
  const user = { image, ...(policy !== undefined && { imagePullPolicy: policy }) };
  return {
    metadata: { name: 'p' },
    spec: {
      containers: [{ name: 'c', ...user }],
      initContainers: [{ name: 'd', ...user }],
      volumes: [{ name: 'v', image: { reference: image, ...(policy !== undefined && { pullPolicy: policy }) } }],
    },
  };
};

it('sets the policy of all images', async () => {
  expect(await mutateWith(alwaysPullImages, testRequest(pods, { object: pod('Never') }))).toEqual(pod('Always'));
  expect(await mutateWith(alwaysPullImages, testRequest(pods, { object: pod(undefined) }))).toEqual(pod('Always'));
});

it('leaves a running pod as it is, unless it gets another image', async () => {
  const update = { operation: 'UPDATE', oldObject: pod('Never') } as const;
  expect(await mutateWith(alwaysPullImages, testRequest(pods, { ...update, object: pod('Never') }))).toEqual(
    pod('Never'),
  );
  const other = await mutateWith(alwaysPullImages, testRequest(pods, { ...update, object: pod('Never', 'j') }));
  expect(other).toEqual(pod('Always', 'j'));
});

it('refuses what another plugin has changed', () => {
  const one = { metadata: {}, spec: { containers: [{ name: 'c', image: 'i', imagePullPolicy: 'Never' }] } };
  const validate = (object: ResourceObject) => () =>
    alwaysPullImages.validate!(testRequest(pods, { object }), {} as never);
  const refusal = (path: string): string =>
    `pods "a" is forbidden: spec.${path}: Unsupported value: "Never": supported values: "Always"`;
  expect(validate(one)).toThrow(refusal('containers[0].imagePullPolicy'));
  const several = ['initContainers[0].imagePullPolicy', 'containers[0].imagePullPolicy', 'volumes[0].image.pullPolicy'];
  expect(validate(pod('Never'))).toThrow(`[${several.map(refusal).join(', ')}]`);
  expect(validate(pod('Always'))).not.toThrow();
});
