import { expect, it } from 'vitest';
import { parseFeatureGates } from './feature-gates.ts';

const defaults = parseFeatureGates('');

it.each([
  ' ',
  'WatchList=true',
  'WatchList=true,CBORServingAndStorage=false',
  ' WatchList=true , OpenAPIEnums=true,',
  'APIResponseCompression=true',
])('accepts default values: %j', (text) => expect(parseFeatureGates(text)).toEqual(defaults));

it.each([
  ['APIResponseCompression=false', false],
  [' WatchList=true , APIResponseCompression=false ', false],
  ['APIResponseCompression=false,APIResponseCompression=true', true],
])('sets changeable gates: %j', (text, APIResponseCompression) => {
  expect(parseFeatureGates(text)).toEqual({ ...defaults, APIResponseCompression });
});

it('enables CBOR', () => {
  expect(parseFeatureGates('CBORServingAndStorage=true')).toEqual({ ...defaults, CBORServingAndStorage: true });
});

it.each([
  ['Gadget=true', 'unrecognized feature gate: Gadget'],
  ['toString=true', 'unrecognized feature gate: toString'],
  ['WatchList', 'invalid value of WatchList: , use true or false'],
  ['WatchList=yes', 'invalid value of WatchList: yes, use true or false'],
  ['APIResponseCompression=0', 'invalid value of APIResponseCompression: 0, use true or false'],
  ['WatchList=true=true', 'invalid value of WatchList: true=true, use true or false'],
  ['WatchList=false', 'cannot set feature gate WatchList to false, feature is locked to true'],
  [
    'OpenAPIEnums=true,StorageVersionHash=false',
    'cannot set feature gate StorageVersionHash to false, feature is locked to true',
  ],
])('refuses %s', (text, message) => {
  expect(() => parseFeatureGates(text)).toThrow(new RangeError(message));
});
