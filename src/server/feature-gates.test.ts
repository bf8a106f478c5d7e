import { expect, it } from 'vitest';
import { checkFeatureGates } from './feature-gates.ts';

it.each([
  '',
  ' ',
  'WatchList=true',
  'WatchList=true,CBORServingAndStorage=false',
  ' WatchList=true , OpenAPIEnums=true,',
])('accepts the present state: %j', (text) => expect(() => checkFeatureGates(text)).not.toThrow());

it.each([
  ['Gadget=true', 'unrecognized feature gate: Gadget'],
  ['toString=true', 'unrecognized feature gate: toString'],
  ['WatchList', 'invalid value of WatchList: , use true or false'],
  ['WatchList=yes', 'invalid value of WatchList: yes, use true or false'],
  ['WatchList=true=true', 'invalid value of WatchList: true=true, use true or false'],
  ['WatchList=false', 'cannot set feature gate WatchList to false, feature is locked to true'],
  [
    'OpenAPIEnums=true,CBORServingAndStorage=true',
    'cannot set feature gate CBORServingAndStorage to true, feature is locked to false',
  ],
])('refuses %s', (text, message) => {
  expect(() => checkFeatureGates(text)).toThrow(new RangeError(message));
});
