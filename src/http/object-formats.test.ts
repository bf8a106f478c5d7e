import { describe, expect, it } from 'vitest';
import { kubernetes } from '../meta/compatibility.ts';
import { StatusError } from '../meta/status-error.ts';
import { ObjectFormats } from './object-formats.ts';

const usual = new ObjectFormats(['json', 'yaml', 'protobuf']);
const withCbor = new ObjectFormats(['json', 'yaml', 'protobuf', 'cbor']);
const table = 'as=Table;g=meta.k8s.io;v=v1';

function refusal(act: () => unknown): { code: number; message: string; details?: object } {
  try {
    act();
  } catch (error) {
    if (error instanceof StatusError) return error.status as ReturnType<typeof refusal>;
  }
  throw new Error('nothing was refused');
}

describe('a body', () => {
  it.each([
    ['application/json', 'json'],
    ['application/json; charset=utf-8', 'json'],
    [undefined, 'json'],
    ['', 'json'],
    ['application/yaml', 'yaml'],
    ['application/vnd.kubernetes.protobuf', 'protobuf'],
    ['application/vnd.svc.protobuf', 'protobuf'],
  ])('is, if it has type %s, read as %s', (mediaType, encoding) => {
    expect(usual.bodyEncoding(mediaType)).toBe(encoding);
  });

  it.each(['application/protobuf', 'application/merge-patch+json', 'application/cbor', 'application', 'text/plain'])(
    'is refused if it has type %s, and the client learns what can be sent',
    (mediaType) => {
      expect(refusal(() => usual.bodyEncoding(mediaType))).toMatchObject({
        code: 415,
        message:
          'the body of the request was in an unknown format - accepted media types include: ' +
          'application/json, application/yaml, application/vnd.kubernetes.protobuf',
      });
    },
  );

  it('may be CBOR if the server supports it', () => {
    expect(withCbor.bodyEncoding('application/cbor')).toBe('cbor');
  });
});

describe('an answer', () => {
  it.each([
    [undefined, 'json', 'application/json'],
    ['*/*', 'json', 'application/json'],
    ['application/*', 'json', 'application/json'],
    ['application/yaml', 'yaml', 'application/yaml'],
    ['application/vnd.kubernetes.protobuf', 'protobuf', 'application/vnd.kubernetes.protobuf'],
    ['application/vnd.svc.protobuf', 'protobuf', 'application/vnd.svc.protobuf'],
    ['application/vnd.kubernetes.protobuf,application/json', 'protobuf', 'application/vnd.kubernetes.protobuf'],
    ['application/yaml;q=0.5,application/json;q=0.4', 'yaml', 'application/yaml'],
    [`application/yaml;${table}`, 'yaml', 'application/yaml'],
    [`application/vnd.svc.protobuf;as=Table;g=meta.svc.io;v=v1`, 'protobuf', 'application/vnd.svc.protobuf'],
  ])('to someone who accepts %s is %s', (accept, encoding, mediaType) => {
    const { offer } = usual.objects.choose(accept);
    expect([offer.encoding.name, offer.mediaType]).toEqual([encoding, mediaType]);
  });

  it.each([
    ['application/vnd.kubernetes.protobuf', 'application/vnd.kubernetes.protobuf;stream=watch'],
    ['application/vnd.svc.protobuf;stream=watch', 'application/vnd.svc.protobuf;stream=watch'],
    ['application/json;stream=watch', 'application/json'],
    ['application/yaml,application/json', 'application/json'],
    ['application/cbor', 'application/cbor-seq'],
    ['application/cbor-seq', 'application/cbor-seq'],
  ])('is, as a stream to someone who accepts %s, in the format %s', (accept, streamType) => {
    expect(withCbor.streams.choose(accept).offer.streamType).toBe(streamType);
  });

  const objects = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
  const streams = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
  it.each([
    [
      'objects',
      'application/json;as=Foo;g=meta.k8s.io;v=v1',
      `only the following media types are accepted: ${objects}`,
    ],
    ['objects', 'application/xml', `406: Not Acceptable\n\nAvailable representations: ${objects}`],
    ['lists', 'application/cbor', `406: Not Acceptable\n\nAvailable representations: ${objects}, ${streams}`],
    ['streams', 'application/yaml', `only the following media types are accepted: ${streams}`],
    ['streams', 'application/cbor-seq', `406: Not Acceptable\n\nAvailable representations: ${objects}, ${streams}`],
  ] as const)('among %s cannot be had by someone who accepts %s', (which, accept, message) => {
    expect(refusal(() => usual[which].choose(accept))).toMatchObject({ code: 406, message });
  });

  it.each([
    ['objects', 'application/xml', objects],
    ['lists', 'application/vnd.kubernetes.protobuf', objects],
    ['streams', 'application/yaml', streams],
  ] as const)('is, for a custom type among %s, not available to someone who accepts %s', (which, accept, listed) => {
    const message = `only the following media types are accepted: ${listed}`;
    expect(refusal(() => usual.custom[which].choose(accept))).toMatchObject({ code: 406, message });
  });

  it.each([
    ['application/xml', objects],
    ['application/vnd.kubernetes.protobuf', 'application/json, application/yaml'],
  ])('is never, for a custom type, sent as %s', (contentType, listed) => {
    const message = `the body of the request was in an unknown format - accepted media types include: ${listed}`;
    expect(refusal(() => usual.custom.bodyEncoding(contentType))).toMatchObject({ code: 415, message });
  });
});

describe('the formats with the decisions of kube-apiserver', () => {
  const formats = new ObjectFormats(['json', 'yaml', 'protobuf', 'cbor'], { decisions: kubernetes });

  it.each([
    ['application/cbor', 'application/cbor-seq'],
    ['application/cbor-seq', undefined],
    ['application/yaml,application/json', undefined],
    ['application/json,application/yaml', 'application/json'],
  ])('a watch that accepts %s is %s', (accept, type) => {
    expect(formats.streams.find(accept)?.offer.streamType).toBe(type);
  });

  it.each(['objects', 'lists', 'streams', 'deletions'] as const)('%s have no Table in protobuf and CBOR', (offered) => {
    for (const type of ['application/vnd.kubernetes.protobuf', 'application/cbor']) {
      expect(formats[offered].find(`${type};${table}`)).toBe(undefined);
      expect(formats[offered].find(`${type};${table.replace('Table', 'PartialObjectMetadata')}`)).toBeDefined();
    }
    expect(formats[offered].find(`application/json;${table}`)).toBeDefined();
  });

  it('a path of custom types is found by application/*', () => {
    expect(formats.custom.objects.choose('application/*').offer.mediaType).toBe('application/json');
    expect(refusal(() => formats.objects.choose('application/*'))).toMatchObject({ code: 406 });
  });
});
