import { expect, it } from 'vitest';
import { requestedOrganizations } from './requested-organizations.ts';

/** A request for the common name `a` in the organizations `system:masters` and `other`. */
const request =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHME1HZ0NBUUF3TlRFS01BZ0dBMVVFQXd3QllURVhNQlVHQTFVRUNnd09jM2x6ZEdWdE9tMWhjM1JsY25NeApEakFNQmdOVkJBb01CVzkwYUdWeU1Db3dCUVlESzJWd0F5RUFPV1JQV0RUS2RLTGIzRkxpSkcwbExWYm5JMGQvClJMVG5uL0pYeXpjY1JLMmdBREFGQmdNclpYQURRUUNoUWk0bTVOYVh1ZHZvdDkvM2l6dEV2b2VEOTJPNncwZEQKQXplK05NeGlZVzBhbGc0WTl4a21ycjZmMElJMGE1WFF3em1DTXM0YmZjS095MUppVzJNQgotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';

it('reads the organizations of a request', () => {
  expect(requestedOrganizations(request)).toEqual(['system:masters', 'other']);
});

it.each([
  '',
  'AAAA',
  Buffer.from('-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----\n').toString('base64'),
])('finds none in invalid requests: %s', (text) => expect(requestedOrganizations(text)).toEqual([]));

it.each([
  [0x1e, 2],
  [0x1c, 4],
])('reads strings with the tag %i', (tag, width) => {
  const wide = (text: string) =>
    Buffer.concat([...text].map((letter) => Buffer.from([...Array(width - 1).fill(0), letter.charCodeAt(0)])));
  const element = (type: number, ...pieces: Buffer[]) => {
    const content = Buffer.concat(pieces);
    return Buffer.concat([Buffer.from([type, content.length]), content]);
  };
  const organization = element(0x30, Buffer.from([6, 3, 0x55, 4, 10]), element(tag, wide('system:masters')));
  const subject = element(0x30, element(0x31, organization));
  const der = element(0x30, element(0x30, Buffer.from([2, 1, 0]), subject));
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  expect(requestedOrganizations(Buffer.from(pem).toString('base64'))).toEqual(['system:masters']);
});
