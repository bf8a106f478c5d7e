import { describe, expect, test } from 'vitest';
import { Negotiator, type Offer, requestMediaType } from './negotiation.ts';

const table = { group: 'meta.k8s.io', version: 'v1', kind: 'Table' };
const offers: [Offer, ...Offer[]] = [
  { mediaType: 'application/json', streams: true },
  { mediaType: 'application/yaml' },
  { mediaType: 'application/json', target: table },
];
const [json, yaml, jsonTable] = offers;
const tableParameters = 'as=Table;g=meta.k8s.io;v=v1';

describe('Negotiator', () => {
  test.each([
    { accept: undefined, offer: json },
    { accept: '', offer: json },
    { accept: '*/*', offer: json },
    { accept: '*', offer: json },
    { accept: 'application/*', offer: json },
    { accept: 'application/json', offer: json },
    { accept: 'application/json;charset=utf-8', offer: json },
    { accept: 'application/json;stream=watch', offer: json },
    { accept: 'application/yaml;stream=watch', offer: undefined },
    { accept: 'application/json;stream=other', offer: undefined },
    { accept: 'application/json;q=0.8,application/yaml;q=0.9', offer: yaml },
    { accept: 'text/html,application/xml;q=0.9,*/*;q=0.8', offer: json },
    { accept: `application/json;${tableParameters}`, offer: jsonTable },
    { accept: `application/json;${tableParameters},application/json`, offer: jsonTable },
    { accept: `application/yaml;${tableParameters},application/yaml`, offer: yaml },
    { accept: 'application/json;as=Table', offer: undefined },
    { accept: 'application/json;g=meta.k8s.io;v=v1', offer: undefined },
    { accept: 'application/json;as=Table;g=meta.k8s.io;v=v9', offer: undefined },
    { accept: 'APPLICATION/JSON', offer: json },
    { accept: 'Application/Yaml;Q=0.5', offer: yaml },
    { accept: `Application/JSON;AS=Table;G=meta.k8s.io;V=v1`, offer: jsonTable },
    { accept: 'application/json;as=table;g=meta.k8s.io;v=v1', offer: undefined },
    { accept: 'application/json;q=0', offer: undefined },
    { accept: 'application/json;q=0.000', offer: undefined },
    { accept: 'application/json; Q=0', offer: undefined },
    { accept: '*/*;q=0', offer: undefined },
    { accept: 'application/json;q=0,application/yaml;q=0.001', offer: yaml },
    { accept: 'application/json;q=0,*/*', offer: yaml },
    { accept: 'application/json;q=0,application/*;q=0.1', offer: yaml },
    { accept: 'application/*;q=0,*/*', offer: undefined },
    { accept: '*/*;q=0,application/json', offer: json },
    { accept: 'application/*;q=0,application/yaml', offer: yaml },
    { accept: 'application/json;q=0,application/json', offer: json },
    { accept: `application/json;q=0,application/json;${tableParameters}`, offer: jsonTable },
    { accept: `application/json;${tableParameters};q=0,application/json`, offer: json },
    { accept: 'application/json;q=nonsense', offer: json },
    { accept: 'application/xml', offer: undefined },
  ])('finds the offer for $accept', ({ accept, offer }) => {
    const negotiator = new Negotiator(offers);
    expect(negotiator.find(accept)?.offer).toBe(offer);
    // The second lookup is cached.
    expect(negotiator.find(accept)?.offer).toBe(offer);
  });

  test('lists the offered media types when none is acceptable', () => {
    const negotiator = new Negotiator(offers);
    expect(() => negotiator.choose('application/xml')).toThrowError(
      expect.objectContaining({
        status: expect.objectContaining({
          code: 406,
          reason: 'NotAcceptable',
          message: 'only the following media types are accepted: application/json, application/yaml',
        }),
      }),
    );
  });

  test('lists the stream types when a watch is not acceptable', () => {
    const negotiator = new Negotiator(offers, { listed: ['application/json;stream=watch'] });
    expect(() => negotiator.choose('application/xml')).toThrowError(
      'only the following media types are accepted: application/json;stream=watch',
    );
    expect(negotiator.find('application/json')?.offer).toBe(json);
  });

  test('lists the media types of the path when the client requests none of them', () => {
    const negotiator = new Negotiator(offers, { served: ['application/json', 'application/yaml'] });
    expect(() => negotiator.choose('application/xml')).toThrowError(
      expect.objectContaining({
        status: expect.objectContaining({
          code: 406,
          message: '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml',
          details: {},
        }),
      }),
    );
    expect(() => negotiator.choose('application/json;as=Foo;g=x;v=v1')).toThrowError('only the following media types');
  });

  test('returns the same choice object for common headers', () => {
    const negotiator = new Negotiator(offers);
    for (const accept of [undefined, '', '*/*', 'application/json', 'application/yaml, */*']) {
      expect(negotiator.choose(accept)).toBe(negotiator.choose(accept));
    }
  });

  test('limits the number of cached headers', () => {
    const negotiator = new Negotiator(offers);
    const first = negotiator.choose('application/yaml;x=first');
    for (let index = 0; index < 1000; index++) negotiator.choose(`application/yaml;x=${index}`);
    expect(negotiator.choose('application/yaml;x=first')).not.toBe(first);
    expect(negotiator.choose('application/yaml;x=first')).toEqual(first);
  });

  test.each([
    { accept: 'application/json;pretty=1', pretty: true },
    { accept: 'application/json;pretty=0', pretty: false },
    { accept: 'application/json', pretty: false },
  ])('reads the pretty parameter of $accept', ({ accept, pretty }) => {
    expect(new Negotiator(offers).choose(accept).pretty).toBe(pretty);
  });
});

test.each([
  { header: undefined, type: 'application/json' },
  { header: '', type: 'application/json' },
  { header: 'application/json', type: 'application/json' },
  { header: 'Application/JSON; charset=utf-8', type: 'application/json' },
  { header: 'application/merge-patch+json', type: 'application/merge-patch+json' },
  { header: ' text/plain ;a=b', type: 'text/plain' },
])('a body of type $header is $type', ({ header, type }) => {
  expect(requestMediaType(header)).toBe(type);
});
