import { expect, it } from 'vitest';
import { admissionSteps } from './admission-step.ts';

it.each([
  [undefined, []],
  ['{"plugin":"A","phase":"mutate"}, {"plugin":"B","denied":"no, \\"never\\""}', ['A', 'B']],
  ['{"plugin":', []],
])('reads %j', (header, plugins) => {
  const headers = new Headers(header === undefined ? {} : { 'keelson-admission': header });
  expect(admissionSteps(headers).map(({ plugin }) => plugin)).toEqual(plugins);
});
