import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Level, openAuditLog } from '../../audit/index.ts';
import { encoders } from '../../codec/encoders/index.ts';
import type { EncodingName } from '../../codec/media-types.ts';
import { invalidValue } from '../../meta/field-error.ts';
import { invalid, StatusError } from '../../meta/status-error.ts';
import { schemaOf } from '../../resources/index.ts';
import { Table } from '../../schema/table-types.ts';
import type { Handler } from '../pipeline.ts';
import { headersOf, respondStatus } from '../render.ts';
import { formats, reading, run, type TestRequest } from './audited-run.conformance.ts';

describe('secrets', () => {
  const levels: Level[] = ['Metadata', 'Request', 'RequestResponse'];
  const secretSchema = schemaOf({ group: '', version: 'v1', kind: 'Secret' })!;

  it('never get into the log', async () => {
    // The secrets contain a marker, so that they can be found anywhere.
    const value = fc.stringMatching(/^[A-Za-z0-9"\\<>& é]{0,20}$/).map((text) => `s3cr3t-${text}`);
    const object = fc.record({
      keys: fc.dictionary(fc.stringMatching(/^k[a-z.]{1,8}$/), value, { minKeys: 1, maxKeys: 4 }),
      encoding: fc.constantFrom<EncodingName>('json', 'yaml', 'protobuf', 'cbor'),
      level: fc.constantFrom(...levels),
      way: fc.constantFrom('object', 'list', 'table', 'patch', 'json-patch', 'refused', 'broken', 'token' as const),
    });
    await fc.assert(
      fc.asyncProperty(object, async ({ keys, encoding, level, way }) => {
        const values = Object.values(keys);
        const encoded = values.map((text) => Buffer.from(text).toString('base64'));
        const data = Object.fromEntries(Object.keys(keys).map((key, index) => [key, encoded[index]!]));
        const applied = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ stringData: keys }) };
        const secret = {
          kind: 'Secret',
          apiVersion: 'v1',
          metadata: { name: 's', annotations: applied },
          data,
          stringData: keys,
        };
        const text = await logged(level, wayOf(way, { secret, encoding, keys }));
        expect(text).toContain('"auditID"');
        for (const hidden of [...values, ...encoded]) {
          for (const format of [hidden, JSON.stringify(hidden).slice(1, -1), encodeURIComponent(hidden)]) {
            expect(text).not.toContain(format);
          }
        }
        expect(text).not.toContain('s3cr3t');
      }),
      { numRuns: 300 },
    );
  });

  interface Way {
    secret: { metadata: object; data: Record<string, string> };
    encoding: EncodingName;
    keys: Record<string, string>;
  }

  /** Returns a request that contains the secret in one of many ways, and a response that contains it as well. */
  function wayOf(
    way: string,
    { secret, encoding, keys }: Way,
  ): { url: string; request: TestRequest; handler: Handler } {
    const url = '/api/v1/namespaces/n/secrets';
    const first = Object.values(keys)[0]!;
    const bytes = encoders[encoding].encode(secret, secretSchema);
    const type = formats.plainOffers.find((offer) => offer.encoding.name === encoding)!.mediaType;
    const responding = (value: object): Handler => reading(value);
    const table = { kind: 'Table', apiVersion: 'meta.k8s.io/v1', rows: [{ cells: ['s'], object: secret }] };
    const post: TestRequest = { method: 'POST', headers: { 'content-type': type }, body: bytes };
    const patch = (body: unknown, kind: string): TestRequest => ({
      method: 'PATCH',
      headers: { 'content-type': `application/${kind}+json` },
      body: JSON.stringify(body),
    });
    const echo: Handler = async ({ exchange }) => {
      const body = await exchange.readBody(1e6);
      exchange.respond(201, headersOf(exchange, type), body);
    };
    const quoting: Handler = async (context) => {
      await context.exchange.readBody(1e6);
      const errors = [
        invalidValue('data[k]', first, 'no'),
        invalidValue('data[l]', Object.values(secret.data)[0]!, `not ${first}`),
      ];
      throw invalid({ group: '', kind: 'Secret' }, 's', errors);
    };
    switch (way) {
      case 'object':
        return { url, request: post, handler: echo };
      case 'list':
        return { url, request: {}, handler: responding({ kind: 'SecretList', items: [secret] }) };
      case 'table':
        return { url, request: { ...post, body: encoders[encoding].encode(table, Table) }, handler: echo };
      case 'patch':
        return { url: `${url}/s`, request: patch(secret, 'strategic-merge-patch'), handler: responding(secret) };
      case 'json-patch': {
        const value = [
          { op: 'replace', path: '/data', value: secret.data },
          { op: 'test', path: '/stringData/k', value: first },
        ];
        return { url: `${url}/s`, request: patch(value, 'json-patch'), handler: quoting };
      }
      case 'refused':
        return { url, request: post, handler: quoting };
      case 'broken':
        return { url, request: { ...post, body: Buffer.concat([Buffer.of(1, 0x7b), bytes]) }, handler: quoting };
      default: {
        const review = { kind: 'TokenReview', spec: { token: first } };
        const query = new URLSearchParams({ access_token: first, token: first });
        return {
          url: `/apis/authentication.k8s.io/v1/tokenreviews?${query}`,
          request: { method: 'POST', headers: { authorization: `Bearer ${first}` }, body: JSON.stringify(review) },
          handler: responding(review),
        };
      }
    }
  }

  async function logged(level: Level, { url, request, handler }: ReturnType<typeof wayOf>): Promise<string> {
    const stdout = new PassThrough();
    const sink = await openAuditLog({ path: '-', stdout });
    await run(url, { ...request, level, sink, handler });
    await sink.close();
    return stdout.read().toString();
  }

  it('in a Status are only those that were sent', async () => {
    const { events } = await run('/api/v1/namespaces/n/secrets/s', {
      level: 'RequestResponse',
      handler: (context) =>
        respondStatus(
          context,
          new StatusError({ code: 404, message: 'secrets "s" not found', reason: 'NotFound' }).status,
          404,
        ),
    });
    expect(events[1]!.responseStatus).toMatchObject({ message: 'secrets "s" not found' });
  });
});
