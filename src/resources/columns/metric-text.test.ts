import { expect, it } from 'vitest';
import { metricText } from './metric-text.ts';

const value = { target: { value: '5' } };
const average = { target: { averageValue: '7' } };
const share = { name: 'cpu', target: { averageUtilization: 80 } };

it.each([
  [{ type: 'External', external: value }, undefined, '<unknown>/5'],
  [{ type: 'External', external: value }, { external: { current: { value: '3' } } }, '3/5'],
  [{ type: 'External', external: average }, { external: { current: { averageValue: '3' } } }, '3/7 (avg)'],
  [{ type: 'External', external: average }, { external: { current: { value: '3' } } }, '<unknown>/7 (avg)'],
  [{ type: 'Object', object: value }, { object: { current: { value: '3' } } }, '3/5'],
  [{ type: 'Object', object: average }, undefined, '<unknown>/7 (avg)'],
  [{ type: 'Pods', pods: average }, undefined, '<unknown>/7'],
  [{ type: 'Pods', pods: average }, { pods: { current: { averageValue: '1' } } }, '1/7'],
  [{ type: 'Resource', resource: share }, undefined, 'cpu: <unknown>/80%'],
  [{ type: 'Resource', resource: share }, { resource: { current: { averageUtilization: 0 } } }, 'cpu: 0%/80%'],
  [{ type: 'Resource', resource: { name: 'cpu' } }, undefined, 'cpu: <unknown>/<auto>'],
  [{ type: 'Resource', resource: { name: 'memory', ...average } }, undefined, 'memory: <unknown>/7'],
  [
    { type: 'Resource', resource: { name: 'memory', ...average } },
    { resource: { current: { averageValue: '6' } } },
    'memory: 6/7',
  ],
  [
    { type: 'ContainerResource', containerResource: share },
    { containerResource: { current: { averageUtilization: 4 } } },
    'cpu: 4%/80%',
  ],
  [{ type: 'Guess' }, undefined, '<unknown type>'],
])('formats %j with current value %j as %s', (metric, current, text) => {
  expect(metricText(metric, current)).toBe(text);
});
